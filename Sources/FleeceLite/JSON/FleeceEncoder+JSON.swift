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
