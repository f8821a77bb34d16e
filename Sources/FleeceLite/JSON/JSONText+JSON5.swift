extension JSONText {
    /// Converts JSON5 (spec.json5.org) to JSON.
    ///
    /// ```swift
    /// let json = try JSONText(json5: "{name: 'Ada', mask: 0xFF, tags: ['a',],} // by hand")
    /// show(json.string)  // {"name":"Ada","mask":255,"tags":["a"]}
    /// ```
    ///
    /// JSON5 adds to JSON: comments; keys without quotes; single quotes; commas after the last
    /// item; line ends in strings after a backslash, and the escapes `\'`, `\v`, `\0`, `\x41`;
    /// numbers like `+1`, `.5`, `5.` and `0xFF`; and all white space of Unicode.
    ///
    /// All of these are accepted. The reference lacks `0xFF`, `5.`, `\v`, `\0` and `\x41`; it
    /// accepts `$` only at the beginning of a key, rejects non-ASCII letters in keys, and converts
    /// `+.5` and `-.5` to invalid JSON. Like the reference, this converter rejects `Infinity` and
    /// `NaN`: JSON has no such numbers, and a document with them could not be written as JSON
    /// again.
    ///
    /// The root value may be a scalar. The range of numbers is not checked.
    ///
    /// - Parameter text: the JSON5.
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error, also for more
    ///   than ``FleeceLimits/jsonDepth`` levels of nesting.
    public init(json5 text: String) throws {
        var text = text
        self = try text.withUTF8 { try JSONText(json5: UnsafeRawBufferPointer($0)) }
    }

    /// Converts JSON5 in UTF-8 to JSON, as ``init(json5:)`` of a string does.
    ///
    /// - Parameter utf8: the bytes, such as those of a mapped file.
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error.
    public init(json5 utf8: UnsafeRawBufferPointer) throws {
        var reader = JSON5Reader(utf8)
        try reader.readDocument()
        self = reader.output
    }
}

extension FleeceEncoder {
    /// Writes the value of a JSON5 text, which must be an object or an array.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// try encoder.writeJSON5("{retries: 3, hosts: ['a', 'b']}")
    /// let settings = try FleeceDocument(trusted: encoder.finish())
    /// ```
    ///
    /// ``JSONText/init(json5:)`` describes the supported syntax. The text is converted to JSON
    /// first: use ``writeJSON(_:)`` if it is JSON.
    ///
    /// - Parameter json5: the text.
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error in the JSON5; the
    ///   encoder must then be ``reset()``.
    public mutating func writeJSON5(_ json5: String) throws {
        var json5 = json5
        try json5.withUTF8 { try writeJSON5(UnsafeRawBufferPointer($0)) }
    }

    /// Writes the value of a JSON5 text in UTF-8, as `writeJSON5(_:)` of a string does.
    ///
    /// - Parameter json5: the bytes, such as those of a mapped file.
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error; the encoder must
    ///   then be ``reset()``.
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
    /// ```swift
    /// var encoder = FleeceEncoder(sharedKeys: sharedKeys)
    /// encoder.beginDictionary()
    /// try encoder.writeKey("payload")
    /// try encoder.writeJSON(json)
    /// try encoder.endDictionary()
    /// let bytes = try encoder.finish()
    /// ```
    ///
    /// The text is parsed directly into the encoder. It must be strict JSON (RFC 8259); use
    /// `writeJSON5(_:)` for text that is written by hand.
    ///
    /// - Parameter json: the JSON text.
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error; the encoder must
    ///   then be ``reset()``.
    public mutating func writeJSON(_ json: String) throws {
        var json = json
        _ = try json.withUTF8 { try writeJSON(UnsafeRawBufferPointer($0), lifting: nil) }
    }

    /// Writes the value of a JSON text in UTF-8, leaving out a property of the root object.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// let id = try json.utf8.withContiguousStorageIfAvailable {
    ///     try encoder.writeJSON(UnsafeRawBufferPointer($0), lifting: "_id")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - json: the JSON text in UTF-8.
    ///   - name: the property to leave out, such as `_id`; its value must be a string. Nil
    ///     (default) leaves out nothing.
    /// - Returns: the value of that property; nil if the object does not have it.
    /// - Throws: as ``writeJSON(_:)`` does.
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
    /// ```swift
    /// let document = try FleeceDocument(json: #"{"tags": ["math", "music"]}"#)
    /// let first = document.root["tags"]?[0]?.string
    /// ```
    ///
    /// Each call creates an encoder. For many documents, use one ``FleeceEncoder``.
    ///
    /// - Parameter json: an object or an array in strict JSON (RFC 8259). Use
    ///   `FleeceEncoder.writeJSON5(_:)` for JSON5.
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error.
    public convenience init(json: String) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        try self.init(trusted: encoder.finish())
    }
}
