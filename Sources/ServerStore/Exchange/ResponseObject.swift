internal import DocumentStore

/// An object of an answer, whose fields must be what they are taken for.
struct ResponseObject {
    let fields: FleeceDictionary
    /// Where it stands in a server, in front of the names of its fields.
    let path: String

    /// A field; `null` is as if it was not there.
    subscript(_ name: String) -> FleeceValue? {
        fields[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// What is wrong with a field.
    struct Wrong: Error {
        let field: String
        let reason: String
    }

    func wrong(_ name: String, _ reason: String) -> Wrong {
        Wrong(field: path + name, reason: reason)
    }

    /// What an object cannot be without.
    func required<T>(
        _ name: String, _ read: (String) throws(Wrong) -> T?
    ) throws(Wrong) -> T {
        guard let value = try read(name) else { throw wrong(name, "is missing") }
        return value
    }
}

// Nil is a field that is not there.
extension ResponseObject {
    func text(_ name: String) throws(Wrong) -> String? {
        guard let field = self[name] else { return nil }
        guard let text = field.string else { throw wrong(name, "is no text") }
        return text
    }

    /// A text of at least one character.
    func word(_ name: String) throws(Wrong) -> String? {
        let text = try text(name)
        if text?.isEmpty == true { throw wrong(name, "is empty") }
        return text
    }

    func whole(_ name: String) throws(Wrong) -> Int? {
        guard let field = self[name] else { return nil }
        guard let number = Self.whole(field) else { throw wrong(name, "is no whole number") }
        return number
    }

    /// A number of 0 or more.
    func natural(_ name: String) throws(Wrong) -> Int? {
        guard let field = self[name] else { return nil }
        guard let number = Self.whole(field), number >= 0 else {
            throw wrong(name, "is no whole number of 0 or more")
        }
        return number
    }

    func number(_ name: String) throws(Wrong) -> Double? {
        guard let field = self[name] else { return nil }
        guard let number = field.double, number.isFinite else { throw wrong(name, "is no number") }
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
        guard let array = field.array else { throw wrong(name, "is no array") }
        return array
    }

    func object(_ name: String) throws(Wrong) -> ResponseObject? {
        guard let field = self[name] else { return nil }
        guard let fields = field.dictionary else { throw wrong(name, "is no object") }
        return ResponseObject(fields: fields, path: "\(path)\(name).")
    }

    /// A whole number, however it is written.
    static func whole(_ value: FleeceValue) -> Int? {
        if let number = value.int { return Int(exactly: number) }
        return value.double.flatMap { Int(exactly: $0) }
    }
}
