extension FleeceEncoder {
    /// Writes the value of a JSON text, which must be an object or an array.
    ///
    /// Throws `.jsonError` with the byte offset of what is wrong; the encoder then has to be
    /// `reset()`.
    public mutating func writeJSON(_ json: String) throws {
        var json = json
        // A copy of the closure's own makes the mutating call possible inside it.
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
        _ json: UnsafeRawBufferPointer, lifting name: String?
    ) throws -> String? {
        var name = name ?? ""
        let hasName = !name.isEmpty
        return try name.withUTF8 { name in
            var reader = JSONReader(json, lifting: hasName ? UnsafeRawBufferPointer(name) : nil)
            try reader.readDocument(into: &self)
            return reader.lifted
        }
    }
}
