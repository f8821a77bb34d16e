internal import DocumentStore

extension QueryValue {
    /// The value as a cell; one that is missing is nothing.
    ///
    /// Throws `FleeceError` for a document that is damaged.
    func cell() throws -> Cell {
        switch self {
        case .missing: .none
        case .boolean(let truth): .truth(truth)
        case .integer(let number): .integer(number)
        case .string(let text): .text(text)
        case .array(let array): .json(try Self.written(array.value))
        case .dictionary(let dictionary): .json(try Self.written(dictionary.value))
        case .null, .unsigned, .real, .data: .json(JSONText(utf8: try json()))
        }
    }

    private static func written(_ value: FleeceValue) throws -> JSONText {
        var writer = JSONWriter()
        try writer.write(value)
        return writer.text
    }
}

extension ResultRow {
    /// The values as cells.
    func cells() throws -> [Cell] {
        try (0..<count).map { try self[$0].cell() }
    }
}

extension JSONText {
    /// Text that is JSON already.
    init(utf8 json: String) {
        self.init()
        utf8 = Array(json.utf8)
    }
}
