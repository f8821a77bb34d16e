internal import DocumentStore

/// An object of a response with typed access to its fields.
struct ResponseObject {
    let fields: FleeceDictionary
    /// The path of the object in a server, a prefix of the names of its fields.
    let path: String

    /// A field; `null` counts as missing.
    subscript(_ name: String) -> FleeceValue? {
        fields[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// A field that is missing or invalid.
    struct Wrong: Error {
        let field: String
        let reason: String
    }

    func wrong(_ name: String, _ reason: String) -> Wrong {
        Wrong(field: path + name, reason: reason)
    }

    /// Reads a required field.
    func required<T>(
        _ name: String, _ read: (String) throws(Wrong) -> T?
    ) throws(Wrong) -> T {
        guard let value = try read(name) else { throw wrong(name, "is missing") }
        return value
    }
}

// Optional fields: nil if the field is missing.
extension ResponseObject {
    func text(_ name: String) throws(Wrong) -> String? {
        guard let field = self[name] else { return nil }
        guard let text = field.string else { throw wrong(name, "is not a string") }
        return text
    }

    /// A string of at least one character.
    func word(_ name: String) throws(Wrong) -> String? {
        let text = try text(name)
        if text?.isEmpty == true { throw wrong(name, "is empty") }
        return text
    }

    func whole(_ name: String) throws(Wrong) -> Int? {
        guard let field = self[name] else { return nil }
        guard let number = Self.whole(field) else { throw wrong(name, "is not a whole number") }
        return number
    }

    /// A number of 0 or more.
    func natural(_ name: String) throws(Wrong) -> Int? {
        guard let field = self[name] else { return nil }
        guard let number = Self.whole(field), number >= 0 else {
            throw wrong(name, "is not a whole number of 0 or more")
        }
        return number
    }

    func number(_ name: String) throws(Wrong) -> Double? {
        guard let field = self[name] else { return nil }
        guard let number = field.double, number.isFinite else {
            throw wrong(name, "is not a number")
        }
        return number
    }

    func degrees(_ name: String, atMost most: Double) throws(Wrong) -> Double? {
        guard let number = try number(name) else { return nil }
        guard number.magnitude <= most else {
            throw wrong(name, "is \(number), beyond \(Int(most)) degrees")
        }
        return number
    }

    func array(_ name: String) throws(Wrong) -> FleeceArray? {
        guard let field = self[name] else { return nil }
        guard let array = field.array else { throw wrong(name, "is not an array") }
        return array
    }

    func object(_ name: String) throws(Wrong) -> ResponseObject? {
        guard let field = self[name] else { return nil }
        guard let fields = field.dictionary else { throw wrong(name, "is not an object") }
        return ResponseObject(fields: fields, path: "\(path)\(name).")
    }

    /// A whole number in any notation.
    static func whole(_ value: FleeceValue) -> Int? {
        if let number = value.int { return Int(exactly: number) }
        return value.double.flatMap { Int(exactly: $0) }
    }
}
