extension JSONText {
    /// Converts JSON5 (spec.json5.org) to JSON.
    ///
    /// JSON5 adds to JSON: comments; keys without quotes; single quotes; commas after the last
    /// item; line ends in strings after a backslash, and the escapes `\'`, `\v`, `\0`, `\x41`;
    /// numbers like `+1`, `.5`, `5.` and `0xFF`; and all white space of Unicode.
    ///
    /// All of that is read. The reference lacks `0xFF`, `5.`, `\v`, `\0` and `\x41`; it knows `$`
    /// only at the beginning of a key, no letters beyond ASCII in keys, and leaves `+.5` and `-.5`
    /// as no JSON. Like the reference's, this converter takes no `Infinity` and no `NaN`: JSON has
    /// no such numbers, and a document with them could not be written as JSON again.
    ///
    /// The outermost value may be a scalar. A number's size is not checked.
    ///
    /// Throws `.jsonError` with the byte offset of what is wrong, also for over
    /// `FleeceLimits.jsonDepth` levels of nesting.
    public init(json5 text: String) throws {
        var text = text
        self = try text.withUTF8 { try JSONText(json5: UnsafeRawBufferPointer($0)) }
    }

    /// The same from UTF-8.
    public init(json5 utf8: UnsafeRawBufferPointer) throws {
        var reader = JSON5Reader(utf8)
        try reader.readDocument()
        self = reader.output
    }
}

extension FleeceEncoder {
    /// Writes the value of a JSON5 text, which must be an object or an array.
    ///
    /// `JSONText.init(json5:)` says what JSON5 is here.
    ///
    /// Throws `.jsonError` with the byte offset, in the JSON5, of what is wrong; the encoder then
    /// has to be `reset()`.
    public mutating func writeJSON5(_ json5: String) throws {
        var json5 = json5
        try json5.withUTF8 { try writeJSON5(UnsafeRawBufferPointer($0)) }
    }

    /// The same from UTF-8.
    public mutating func writeJSON5(_ json5: UnsafeRawBufferPointer) throws {
        let json = try JSONText(json5: json5)
        do {
            _ = try json.utf8.withUnsafeBytes { try writeJSON($0, lifting: nil) }
        } catch let error as FleeceError {
            // Seldom: a number too large, or a scalar alone. Only then is it worth a second look.
            var reader = JSON5Reader(json5, origin: error.offset ?? 0)
            try reader.readDocument()
            throw FleeceError(error.code, error.message, offset: reader.origin)
        }
    }
}

extension FleeceEncoder {
    /// Writes the value of a JSON text, which must be an object or an array.
    ///
    /// Throws `.jsonError` with the byte offset of what is wrong; the encoder then has to be
    /// `reset()`.
    public mutating func writeJSON(_ json: String) throws {
        var json = json
        _ = try json.withUTF8 { try writeJSON(UnsafeRawBufferPointer($0), lifting: nil) }
    }

    /// The same from UTF-8, and with a property of the outermost object left out of the value.
    ///
    /// - Parameters:
    ///   - json: UTF-8.
    ///   - name: the property that is left out, such as `_id`; its value must be a string.
    /// - Returns: the value of that property, nil if the object has none.
    @discardableResult
    public mutating func writeJSON(
        _ json: UnsafeRawBufferPointer, lifting name: String? = nil
    ) throws -> String? {
        var reader = JSONReader(json, lifting: name, &self)
        guard reader.readDocument(into: &self) else { throw reader.error }
        return reader.lifted
    }
}

extension FleeceDocument {
    /// A document of a JSON text, which must be an object or an array; its keys are no numbers.
    ///
    /// Throws `.jsonError` with the byte offset of what is wrong.
    public convenience init(json: String) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        try self.init(trusted: encoder.finish())
    }
}
