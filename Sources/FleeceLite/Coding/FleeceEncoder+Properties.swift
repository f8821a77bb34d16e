// Methods that write a property of the open dictionary in one call. A nil value is not written.
//
// Each throws as `writeKey` does.
extension FleeceEncoder {
    /// Writes a key and a Boolean.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: Bool) throws {
        try writeKey(key)
        writeBool(value)
    }

    /// Writes a key and an integer.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: Int) throws {
        try writeKey(key)
        writeInt(value)
    }

    /// Writes a key and an integer.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: Int64) throws {
        try writeKey(key)
        writeInt(value)
    }

    /// Writes a key and a number, which remains a floating-point number even if it is whole.
    ///
    /// - Throws: as ``writeKey(_:)`` does, and ``FleeceError/Code/invalidData`` for NaN; the key
    ///   has then been written.
    public mutating func write(_ key: String, _ value: Double) throws {
        try writeKey(key)
        try writeDouble(value)
    }

    /// Writes a key and a string.
    ///
    /// It saves a line compared with ``writeKey(_:)`` and ``writeString(_:)``, and costs the same:
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginDictionary()
    /// try encoder.write("name", "Ada")
    /// try encoder.write("age", 36)
    /// try encoder.write("isMember", true)
    /// try encoder.endDictionary()
    /// ```
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: String) throws {
        try writeKey(key)
        writeString(value)
    }

    /// Writes a key and a Boolean, unless it is nil: then neither is written.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: Bool?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and an integer, unless it is nil: then neither is written.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: Int?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and an integer, unless it is nil: then neither is written.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: Int64?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and a number, unless it is nil: then neither is written.
    ///
    /// - Throws: as `write(_:_:)` of a number does.
    public mutating func write(_ key: String, _ value: Double?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and a string, unless it is nil: then neither is written.
    ///
    /// To write `null` for nil, use ``writeKey(_:)`` and ``writeNull()``.
    ///
    /// - Throws: as ``writeKey(_:)`` does.
    public mutating func write(_ key: String, _ value: String?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and a value through its `Encodable` conformance, unless it is nil: then neither
    /// is written.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// encoder.beginDictionary()
    /// try encoder.write("name", "Ada")
    /// try encoder.write("scores", encoding: ["math": 1.5, "music": 2])
    /// try encoder.endDictionary()
    /// ```
    ///
    /// - Throws: as ``writeKey(_:)`` and ``encode(_:as:)`` do; the encoder must then be
    ///   ``reset()``.
    public mutating func write(_ key: String, encoding value: (some Encodable)?) throws {
        guard let value else { return }
        try writeKey(key)
        try encode(value)
    }
}
