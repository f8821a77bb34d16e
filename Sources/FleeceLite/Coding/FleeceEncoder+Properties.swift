// Methods that write a property of the open dictionary in one call. A nil value is not written.
//
// Each throws as `writeKey` does.
extension FleeceEncoder {
    /// Writes a key and a Boolean.
    public mutating func write(_ key: String, _ value: Bool) throws {
        try writeKey(key)
        writeBool(value)
    }

    /// Writes a key and an integer.
    public mutating func write(_ key: String, _ value: Int) throws {
        try writeKey(key)
        writeInt(value)
    }

    /// Writes a key and an integer.
    public mutating func write(_ key: String, _ value: Int64) throws {
        try writeKey(key)
        writeInt(value)
    }

    /// Writes a key and a number.
    ///
    /// Throws `.invalidData` for NaN.
    public mutating func write(_ key: String, _ value: Double) throws {
        try writeKey(key)
        try writeDouble(value)
    }

    /// Writes a key and a string.
    public mutating func write(_ key: String, _ value: String) throws {
        try writeKey(key)
        writeString(value)
    }

    /// Writes a key and a Boolean, unless it is nil.
    public mutating func write(_ key: String, _ value: Bool?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and an integer, unless it is nil.
    public mutating func write(_ key: String, _ value: Int?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and an integer, unless it is nil.
    public mutating func write(_ key: String, _ value: Int64?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and a number, unless it is nil.
    public mutating func write(_ key: String, _ value: Double?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and a string, unless it is nil.
    public mutating func write(_ key: String, _ value: String?) throws {
        if let value { try write(key, value) }
    }

    /// Writes a key and a value through its `Encodable` conformance, unless it is nil.
    public mutating func write(_ key: String, encoding value: (some Encodable)?) throws {
        guard let value else { return }
        try writeKey(key)
        try encode(value)
    }
}
