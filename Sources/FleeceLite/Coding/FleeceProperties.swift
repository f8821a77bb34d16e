/// The properties of a dictionary, for a type that is `FleeceCodable`.
///
/// They are found fastest in the order in which they were written. Each method throws
/// `DecodingError` as `FleeceRowDecoder` does: for a property that is not there, is of another
/// type, or does not fit. Those for properties that need not be there take `null` as missing.
public struct FleeceProperties {
    private let decoder: ValueDecoder

    init(_ decoder: ValueDecoder) throws {
        try decoder.openDictionary()
        self.decoder = decoder
    }

    /// A Boolean.
    public func bool(_ name: String) throws -> Bool { try read(name) }

    /// A Boolean, or nil.
    public func boolIfPresent(_ name: String) throws -> Bool? { try readIfPresent(name) }

    /// A number without a fraction.
    public func int(_ name: String) throws -> Int { try read(name) }

    /// A number without a fraction, or nil.
    public func intIfPresent(_ name: String) throws -> Int? { try readIfPresent(name) }

    /// A number without a fraction.
    public func int64(_ name: String) throws -> Int64 { try read(name) }

    /// A number without a fraction, or nil.
    public func int64IfPresent(_ name: String) throws -> Int64? { try readIfPresent(name) }

    /// A number.
    public func double(_ name: String) throws -> Double { try read(name) }

    /// A number, or nil.
    public func doubleIfPresent(_ name: String) throws -> Double? { try readIfPresent(name) }

    /// A string.
    public func string(_ name: String) throws -> String { try read(name) }

    /// A string, or nil.
    public func stringIfPresent(_ name: String) throws -> String? { try readIfPresent(name) }

    /// The properties of a dictionary inside this one.
    public func properties(_ name: String) throws -> FleeceProperties {
        let key = PropertyName(name)
        return try FleeceProperties(ValueDecoder(decoder.require(key), in: decoder, key: key))
    }

    /// The properties of a dictionary inside this one, or nil.
    public func propertiesIfPresent(_ name: String) throws -> FleeceProperties? {
        let key = PropertyName(name)
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try FleeceProperties(ValueDecoder(value, in: decoder, key: key))
    }

    /// A value of any type, by its conformance to `Decodable`.
    public func value<Value: Decodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        let key = PropertyName(name)
        return try decoder.decode(type, decoder.require(key), key)
    }

    /// A value of any type, by its conformance to `Decodable`, or nil.
    public func valueIfPresent<Value: Decodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value? {
        let key = PropertyName(name)
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try decoder.decode(type, value, key)
    }

    @inline(__always)
    private func read<Scalar: FleeceScalar>(_ name: String) throws -> Scalar {
        let key = PropertyName(name)
        return try decoder.read(Scalar.self, decoder.require(key), key)
    }

    @inline(__always)
    private func readIfPresent<Scalar: FleeceScalar>(_ name: String) throws -> Scalar? {
        let key = PropertyName(name)
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try decoder.read(Scalar.self, value, key)
    }
}

/// The key of a property that is asked for by its name.
struct PropertyName: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
}
