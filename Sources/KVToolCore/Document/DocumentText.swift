package import DocumentStore

/// The text of a document from the user: JSON or JSON5.
package struct DocumentText {
    /// JSON, of an object or an array.
    let json: [UInt8]
    /// The `_id` property of the text.
    let id: String?
    /// Whether the text is a command-line argument; errors in it are usage errors then.
    private(set) var isTyped = false

    /// Parses UTF-8.
    ///
    /// - Throws: an error with line and column.
    package init(_ text: [UInt8]) throws {
        do {
            (json, id) = (text, try Self.id(in: text))
        } catch let error as FleeceError {
            (json, id) = try Self.converted(text, otherwise: error)
        }
    }

    /// Reads the arguments of a command line: the text itself, `-` for standard input, or `@FILE`.
    package init(words: [String]) throws {
        let text = words.joined(separator: " ")
        switch (words.count, text.first) {
        case (1, _) where text == "-": try self.init(InputFile.contents(of: "-"))
        case (1, "@"): try self.init(InputFile.contents(of: String(text.dropFirst())))
        default:
            self = try ToolError.asUsage(ifTyped: true) { try Self(Array(text.utf8)) }
            isTyped = true
        }
    }

    /// The text as a value, without its `_id`.
    package func value() throws -> FleeceValue {
        var encoder = FleeceEncoder()
        try write(to: &encoder)
        return try FleeceDocument(trusted: encoder.finish()).root
    }

    /// Writes the value, without its `_id`.
    package func write(to encoder: inout FleeceEncoder) throws {
        try json.withUnsafeBytes { _ = try encoder.writeJSON($0, lifting: "_id") }
    }

    /// Checks that the `_id` in the text, if any, is the ID of this document.
    package func require(id other: String) throws {
        // By bytes, like IDs: Swift's == treats some different IDs as equal.
        guard let id, !id.utf8.elementsEqual(other.utf8) else { return }
        throw ToolError(
            "the JSON has the _id \"\(Text.line(id))\", not \"\(Text.line(other))\"")
    }

    private static func id(in json: [UInt8]) throws -> String? {
        var encoder = FleeceEncoder()
        return try json.withUnsafeBytes { try encoder.writeJSON($0, lifting: "_id") }
    }

    /// Converts JSON5 to JSON. For invalid text, reports the error that occurs later in it.
    private static func converted(
        _ text: [UInt8], otherwise strict: FleeceError
    ) throws -> (json: [UInt8], id: String?) {
        let json: [UInt8]
        do {
            json = try text.withUnsafeBytes { try JSONText(json5: $0) }.utf8
        } catch let error as FleeceError {
            let isLater = (error.offset ?? 0) > (strict.offset ?? 0)
            throw wrong(isLater ? error : strict, text)
        }
        do {
            return (json, try id(in: json))
        } catch let error as FleeceError {
            // A position in the converted text is not a position in the input.
            guard error.message == strict.message else {
                throw ToolError("invalid JSON: \(error.message)")
            }
            throw wrong(strict, text)
        }
    }

    private static func wrong(_ error: FleeceError, _ text: [UInt8]) -> ToolError {
        let location = TextLocation(offset: error.offset ?? 0, in: text[...])
        return ToolError("invalid JSON, \(location): \(error.message)")
    }
}
