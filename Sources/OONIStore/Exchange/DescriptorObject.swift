internal import DocumentStore

/// The JSON object of a descriptor as returned by OONI's API. A missing or invalid required field
/// throws; an invalid optional field is reported.
struct DescriptorObject {
    let value: FleeceValue
    /// The path of the object, a prefix of the names of its fields.
    let path: String
    private(set) var problems: [String] = []

    init(value: FleeceValue, path: String) {
        (self.value, self.path) = (value, path)
    }

    /// A field; `null` counts as missing.
    private subscript(_ name: String) -> FleeceValue? {
        value[name].flatMap { $0.isNull ? nil : $0 }
    }

    mutating func descriptor() throws -> OONIStore.TestDescriptor {
        guard value.dictionary != nil else {
            throw Self.wrong(String(path.dropLast()), "is not an object")
        }
        var descriptor = OONIStore.TestDescriptor(
            runID: try runID(), revision: try revision(), name: try name(),
            nettests: try nettests())
        do {
            try descriptor.requireKey()
        } catch {
            throw Self.wrong(path + "oonirun_link_id", "is not a link's number: \(error)")
        }
        descriptor.shortDescription = text("short_description")
        descriptor.description = text("description")
        descriptor.author = text("author")
        descriptor.nameByLanguage = strings("name_intl")
        descriptor.shortDescriptionByLanguage = strings("short_description_intl")
        descriptor.descriptionByLanguage = strings("description_intl")
        descriptor.icon = text("icon")
        descriptor.color = text("color")
        descriptor.animation = text("animation")
        descriptor.expirationDate = instant("expiration_date")
        descriptor.dateCreated = instant("date_created")
        descriptor.dateUpdated = instant("date_updated")
        descriptor.revisions = self["revisions"].flatMap { revisions(of: $0, "revisions") }
        return descriptor
    }

    static func wrong(_ field: String, _ reason: String) -> OONIStoreError {
        OONIStoreError(
            .invalidDescriptor, "\(field.isEmpty ? "the descriptor" : field) \(reason)")
    }
}

// Required fields.
extension DescriptorObject {
    private func required(_ name: String) throws -> FleeceValue {
        guard let field = self[name] else { throw Self.wrong(path + name, "is missing") }
        return field
    }

    /// A string of digits; a number is accepted, too.
    private func runID() throws -> String {
        let field = try required("oonirun_link_id")
        if field.isInteger, let number = field.int { return String(number) }
        guard let text = field.string else {
            throw Self.wrong(path + "oonirun_link_id", "is neither a string nor a number")
        }
        return text
    }

    private func revision() throws -> Int {
        guard let revision = Self.revision(try required("revision")) else {
            throw Self.wrong(path + "revision", "is not a whole number of 0 or more")
        }
        return revision
    }

    /// The revision in a string of digits or a number; nil for an invalid one.
    private static func revision(_ field: FleeceValue) -> Int? {
        let revision =
            field.isInteger
            ? field.int.flatMap { Int(exactly: $0) } : field.string.flatMap { Int($0) }
        guard let revision, revision >= 0, revision < Identifiers.bound else { return nil }
        return revision
    }

    private func name() throws -> String {
        guard let name = try required("name").string else {
            throw Self.wrong(path + "name", "is not a string")
        }
        return name
    }

    private func nettests() throws -> [OONIStore.NetTest] {
        try OONIStore.NetTest.list(try required("nettests"), path + "nettests")
    }
}

// Optional fields.
extension DescriptorObject {
    private mutating func text(_ name: String) -> String? {
        guard let field = self[name] else { return nil }
        if field.string == nil { problems.append("\(path)\(name) is not a string") }
        return field.string
    }

    /// RFC 3339 with up to microseconds, truncated to milliseconds.
    private mutating func instant(_ name: String) -> OONIStore.Instant? {
        guard let text = text(name) else { return nil }
        guard let timestamp = FleeceTimestamp(parsing: text) else {
            problems.append("\(path)\(name) is not a date")
            return nil
        }
        return OONIStore.Instant(milliseconds: timestamp.milliseconds)
    }

    private mutating func strings(_ name: String) -> [String: String] {
        self[name].map { strings(of: $0, name) } ?? [:]
    }

    /// A list of revision numbers; nil if it is not an array.
    mutating func revisions(of field: FleeceValue, _ name: String) -> [Int]? {
        guard let array = field.array else {
            problems.append("\(path)\(name) is not an array")
            return nil
        }
        var revisions: [Int] = []
        for (index, value) in array.enumerated() {
            if let revision = Self.revision(value) {
                revisions.append(revision)
            } else {
                problems.append("\(path)\(name)[\(index)] is not a whole number of 0 or more")
            }
        }
        return revisions
    }

    /// A map from languages to strings.
    mutating func strings(of field: FleeceValue, _ name: String) -> [String: String] {
        guard let object = field.dictionary else {
            problems.append("\(path)\(name) is not an object")
            return [:]
        }
        var strings: [String: String] = [:]
        for (language, value) in object where !value.isNull {
            if let text = value.string {
                strings[language] = text
            } else {
                problems.append("\(path)\(name).\(language) is not a string")
            }
        }
        return strings
    }
}
