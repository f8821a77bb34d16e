internal import DocumentStore

/// The object of a descriptor as OONI's API gives it. What a descriptor cannot be without throws if
/// it is missing or wrong; the rest is noted if it is wrong.
struct DescriptorObject {
    let value: FleeceValue
    /// Where it stands, in front of the names of its fields.
    let path: String
    private(set) var problems: [String] = []

    init(value: FleeceValue, path: String) {
        (self.value, self.path) = (value, path)
    }

    /// A field; `null` is as if it was not there.
    private subscript(_ name: String) -> FleeceValue? {
        value[name].flatMap { $0.isNull ? nil : $0 }
    }

    mutating func descriptor() throws -> OONIStore.TestDescriptor {
        guard value.dictionary != nil else {
            throw Self.wrong(String(path.dropLast()), "is no object")
        }
        var descriptor = OONIStore.TestDescriptor(
            runID: try runID(), revision: try revision(), name: try name(),
            nettests: try nettests())
        do {
            try descriptor.requireKey()
        } catch {
            throw Self.wrong(path + "oonirun_link_id", "is none: \(error)")
        }
        descriptor.shortDescription = text("short_description")
        descriptor.description = text("description")
        descriptor.author = text("author")
        descriptor.nameByLanguage = texts("name_intl")
        descriptor.shortDescriptionByLanguage = texts("short_description_intl")
        descriptor.descriptionByLanguage = texts("description_intl")
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

// What a descriptor needs.
extension DescriptorObject {
    private func required(_ name: String) throws -> FleeceValue {
        guard let field = self[name] else { throw Self.wrong(path + name, "is missing") }
        return field
    }

    /// A text of digits; a number does as well.
    private func runID() throws -> String {
        let field = try required("oonirun_link_id")
        if field.isInteger, let number = field.int { return String(number) }
        guard let text = field.string else {
            throw Self.wrong(path + "oonirun_link_id", "is neither text nor a number")
        }
        return text
    }

    private func revision() throws -> Int {
        guard let revision = Self.revision(try required("revision")) else {
            throw Self.wrong(path + "revision", "is no whole number of 0 or more")
        }
        return revision
    }

    /// A string of digits, or a number; nil for what cannot be a revision.
    private static func revision(_ field: FleeceValue) -> Int? {
        let revision =
            field.isInteger
            ? field.int.flatMap { Int(exactly: $0) } : field.string.flatMap { Int($0) }
        guard let revision, revision >= 0, revision < Identifiers.bound else { return nil }
        return revision
    }

    private func name() throws -> String {
        guard let name = try required("name").string else {
            throw Self.wrong(path + "name", "is no text")
        }
        return name
    }

    private func nettests() throws -> [OONIStore.NetTest] {
        try OONIStore.NetTest.list(try required("nettests"), path + "nettests")
    }
}

// What it may have.
extension DescriptorObject {
    private mutating func text(_ name: String) -> String? {
        guard let field = self[name] else { return nil }
        if field.string == nil { problems.append("\(path)\(name) is no text") }
        return field.string
    }

    /// RFC 3339, to microseconds, of which milliseconds are kept.
    private mutating func instant(_ name: String) -> OONIStore.Instant? {
        guard let text = text(name) else { return nil }
        guard let timestamp = FleeceTimestamp(parsing: text) else {
            problems.append("\(path)\(name) is no date")
            return nil
        }
        return OONIStore.Instant(milliseconds: timestamp.milliseconds)
    }

    private mutating func texts(_ name: String) -> [String: String] {
        self[name].map { texts(of: $0, name) } ?? [:]
    }

    /// A list of numbers of revisions; nil if it is not an array.
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

    /// A map of languages to texts.
    mutating func texts(of field: FleeceValue, _ name: String) -> [String: String] {
        guard let object = field.dictionary else {
            problems.append("\(path)\(name) is no object")
            return [:]
        }
        var texts: [String: String] = [:]
        for (language, value) in object where !value.isNull {
            if let text = value.string {
                texts[language] = text
            } else {
                problems.append("\(path)\(name).\(language) is no text")
            }
        }
        return texts
    }
}
