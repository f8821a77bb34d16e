/// The properties of a dictionary, for a type that conforms to `FleeceCodable`.
///
/// Reading is fastest in the order in which the properties were written. Each method throws
/// `DecodingError` as `FleeceRowDecoder` does: for a property that is missing, has another type, or
/// does not fit. The `…IfPresent` methods return nil for a missing property and for `null`.
public struct FleeceProperties {
    private let decoder: ValueDecoder

    init(_ decoder: ValueDecoder) throws {
        try decoder.openDictionary()
        self.decoder = decoder
    }

    /// Returns a Boolean.
    public func bool(_ name: String) throws -> Bool { try read(name) }

    /// Returns a Boolean, or nil.
    public func boolIfPresent(_ name: String) throws -> Bool? { try readIfPresent(name) }

    /// Returns an integer; a floating-point number must have no fraction.
    public func int(_ name: String) throws -> Int { try read(name) }

    /// Returns an integer, or nil; a floating-point number must have no fraction.
    public func intIfPresent(_ name: String) throws -> Int? { try readIfPresent(name) }

    /// Returns an integer; a floating-point number must have no fraction.
    public func int64(_ name: String) throws -> Int64 { try read(name) }

    /// Returns an integer, or nil; a floating-point number must have no fraction.
    public func int64IfPresent(_ name: String) throws -> Int64? { try readIfPresent(name) }

    /// Returns a number.
    public func double(_ name: String) throws -> Double { try read(name) }

    /// Returns a number, or nil.
    public func doubleIfPresent(_ name: String) throws -> Double? { try readIfPresent(name) }

    /// Returns a string.
    public func string(_ name: String) throws -> String { try read(name) }

    /// Returns a string, or nil.
    public func stringIfPresent(_ name: String) throws -> String? { try readIfPresent(name) }

    /// Returns the properties of a nested dictionary.
    public func properties(_ name: String) throws -> FleeceProperties {
        let key = PropertyName(name)
        return try FleeceProperties(ValueDecoder(decoder.require(key), in: decoder, key: key))
    }

    /// Returns the properties of a nested dictionary, or nil.
    public func propertiesIfPresent(_ name: String) throws -> FleeceProperties? {
        let key = PropertyName(name)
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try FleeceProperties(ValueDecoder(value, in: decoder, key: key))
    }

    /// Returns a value of any type, through its `Decodable` conformance.
    public func value<Value: Decodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        let key = PropertyName(name)
        return try decoder.decode(type, decoder.require(key), key)
    }

    /// Returns a value of any type, through its `Decodable` conformance, or nil.
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

/// The key of a property that is read by its name.
struct PropertyName: CodingKey {
    let stringValue: String

    init(_ name: String) { stringValue = name }

    init?(stringValue: String) { self.stringValue = stringValue }

    init?(intValue: Int) { nil }

    var intValue: Int? { nil }
}
