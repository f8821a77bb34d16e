extension JSONText {
    /// Converts JSON5 (spec.json5.org) to JSON.
    ///
    /// JSON5 adds to JSON: comments; keys without quotes; single quotes; commas after the last
    /// item; line ends in strings after a backslash, and the escapes `\'`, `\v`, `\0`, `\x41`;
    /// numbers like `+1`, `.5`, `5.` and `0xFF`; and all white space of Unicode.
    ///
    /// All of these are accepted. The reference lacks `0xFF`, `5.`, `\v`, `\0` and `\x41`;
    /// it accepts `$` only at the beginning of a key, rejects non-ASCII letters in keys,
    /// and converts `+.5` and `-.5` to invalid JSON. Like the reference, this converter
    /// rejects `Infinity` and `NaN`: JSON has no such numbers, and a document with them
    /// could not be written as JSON again.
    ///
    /// The root value may be a scalar. The range of numbers is not checked.
    ///
    /// Throws `.jsonError` with the byte offset of the error, also for more than
    /// `FleeceLimits.jsonDepth` levels of nesting.
    public init(json5 text: String) throws {
        var text = text
        self = try text.withUTF8 { try JSONText(json5: UnsafeRawBufferPointer($0)) }
    }

    /// Converts JSON5 in UTF-8 to JSON.
    public init(json5 utf8: UnsafeRawBufferPointer) throws {
        var reader = JSON5Reader(utf8)
        try reader.readDocument()
        self = reader.output
    }
}

extension FleeceEncoder {
    /// Writes the value of a JSON5 text, which must be an object or an array.
    ///
    /// `JSONText.init(json5:)` describes the supported syntax.
    ///
    /// Throws `.jsonError` with the byte offset of the error in the JSON5; the
    /// encoder must then be `reset()`.
    public mutating func writeJSON5(_ json5: String) throws {
        var json5 = json5
        try json5.withUTF8 { try writeJSON5(UnsafeRawBufferPointer($0)) }
    }

    /// Writes the value of a JSON5 text in UTF-8.
    public mutating func writeJSON5(_ json5: UnsafeRawBufferPointer) throws {
        let json = try JSONText(json5: json5)
        do {
            _ = try json.utf8.withUnsafeBytes { try writeJSON($0, lifting: nil) }
        } catch let error as FleeceError {
            // Rare: a number out of range, or a single scalar. Only then is a second pass made.
            var reader = JSON5Reader(json5, origin: error.offset ?? 0)
            try reader.readDocument()
            throw FleeceError(error.code, error.message, offset: reader.origin)
        }
    }
}

extension FleeceEncoder {
    /// Writes the value of a JSON text, which must be an object or an array.
    ///
    /// An integer is written as an integer; a number with a fraction or an exponent, or beyond 64
    /// bits, as a double. Of equal keys in an object the last one wins. Collections can be nested
    /// ``FleeceLimits/jsonDepth`` deep.
    ///
    /// Throws `.jsonError` with the byte offset of the error; the encoder must then be `reset()`.
    public mutating func writeJSON(_ json: String) throws {
        var json = json
        _ = try json.withUTF8 { try writeJSON(UnsafeRawBufferPointer($0), lifting: nil) }
    }

    /// Writes the value of a JSON text in UTF-8, leaving out a property of the root object.
    ///
    /// - Parameters:
    ///   - json: the JSON text in UTF-8.
    ///   - name: the property to leave out, such as `_id`; its value must be a string.
    /// - Returns: the value of that property; nil if the object does not have it.
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
    /// Creates a document from a JSON text, without shared keys.
    ///
    /// - Parameter json: an object or an array in strict JSON (RFC 8259). Use
    ///   ``FleeceEncoder/writeJSON5(_:)`` for JSON5.
    ///
    /// Throws `.jsonError` with the byte offset of the error.
    public convenience init(json: String) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        try self.init(trusted: encoder.finish())
    }
}
