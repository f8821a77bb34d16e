/// The properties of a dictionary, for a type that conforms to ``FleeceCodable``.
///
/// ```swift
/// struct Point: FleeceCodable {
///     var x: Double, y: Double, label: String?
///
///     init(_ properties: FleeceProperties) throws {
///         x = try properties.double("x")
///         y = try properties.double("y")
///         label = try properties.stringIfPresent("label")
///     }
///
///     func write(to encoder: inout FleeceEncoder) throws {
///         encoder.beginDictionary()
///         try encoder.write("x", x)
///         try encoder.write("y", y)
///         try encoder.write("label", label)
///         try encoder.endDictionary()
///     }
/// }
/// ```
///
/// Reading is fastest in the order in which the properties were written. Each method throws
/// `DecodingError` as ``FleeceRowDecoder`` does: `keyNotFound` for a property that is missing or
/// `undefined`, `valueNotFound` for `null`, `typeMismatch` for another type, `dataCorrupted` for a
/// number that does not fit and for corrupt bytes.
///
/// The `…IfPresent` methods return nil for a missing property and for `null`, and throw for another
/// type.
public struct FleeceProperties {
    private let decoder: ValueDecoder

    init(_ decoder: ValueDecoder) throws {
        try decoder.openDictionary()
        self.decoder = decoder
    }

    /// Returns a Boolean. A number is not a Boolean.
    ///
    /// - Throws: `DecodingError` if it is missing, `null` or another type.
    public func bool(_ name: String) throws -> Bool { try read(name) }

    /// Returns a Boolean, or nil if it is missing or `null`.
    ///
    /// - Throws: `DecodingError` for another type.
    public func boolIfPresent(_ name: String) throws -> Bool? { try readIfPresent(name) }

    /// Returns an integer; a floating-point number must have no fraction.
    ///
    /// - Throws: `DecodingError` if it is missing, `null`, another type, or does not fit.
    public func int(_ name: String) throws -> Int { try read(name) }

    /// Returns an integer, or nil if it is missing or `null`; a floating-point number must have no
    /// fraction.
    ///
    /// - Throws: `DecodingError` for another type or a number that does not fit.
    public func intIfPresent(_ name: String) throws -> Int? { try readIfPresent(name) }

    /// Returns an integer; a floating-point number must have no fraction.
    ///
    /// - Throws: `DecodingError` if it is missing, `null`, another type, or does not fit.
    public func int64(_ name: String) throws -> Int64 { try read(name) }

    /// Returns an integer, or nil if it is missing or `null`; a floating-point number must have no
    /// fraction.
    ///
    /// - Throws: `DecodingError` for another type or a number that does not fit.
    public func int64IfPresent(_ name: String) throws -> Int64? { try readIfPresent(name) }

    /// Returns a number; an integer must be one that a `Double` represents exactly.
    ///
    /// - Throws: `DecodingError` if it is missing, `null`, another type, or does not fit.
    public func double(_ name: String) throws -> Double { try read(name) }

    /// Returns a number, or nil if it is missing or `null`.
    ///
    /// - Throws: `DecodingError` for another type or an integer that does not fit.
    public func doubleIfPresent(_ name: String) throws -> Double? { try readIfPresent(name) }

    /// Returns a string.
    ///
    /// - Throws: `DecodingError` if it is missing, `null`, another type, or not UTF-8.
    public func string(_ name: String) throws -> String { try read(name) }

    /// Returns a string, or nil if it is missing or `null`.
    ///
    /// - Throws: `DecodingError` for another type, or if it is not UTF-8.
    public func stringIfPresent(_ name: String) throws -> String? { try readIfPresent(name) }

    /// Returns the properties of a nested dictionary, for a nested type that also conforms to
    /// ``FleeceCodable``.
    ///
    /// ```swift
    /// func city(_ properties: FleeceProperties) throws -> String {
    ///     try properties.properties("address").string("city")
    /// }
    /// ```
    ///
    /// - Throws: `DecodingError` if it is missing, `null` or not a dictionary.
    public func properties(_ name: String) throws -> FleeceProperties {
        let key = PropertyName(name)
        return try FleeceProperties(ValueDecoder(decoder.require(key), in: decoder, key: key))
    }

    /// Returns the properties of a nested dictionary, or nil if it is missing or `null`.
    ///
    /// - Throws: `DecodingError` if it is another type.
    public func propertiesIfPresent(_ name: String) throws -> FleeceProperties? {
        let key = PropertyName(name)
        guard let value = try decoder.find(key), !value.isNil else { return nil }
        return try FleeceProperties(ValueDecoder(value, in: decoder, key: key))
    }

    /// Returns a value of any type, through its `Decodable` conformance.
    ///
    /// ```swift
    /// func tags(_ properties: FleeceProperties) throws -> [String] {
    ///     try properties.value("tags")
    /// }
    /// ```
    ///
    /// Use it for arrays, dates and nested `Codable` types. For scalars, the methods above are
    /// faster.
    ///
    /// - Parameters:
    ///   - name: the key of the property.
    ///   - type: the type, which is usually inferred.
    /// - Throws: `DecodingError` if it is missing or cannot be decoded, and any error of the type.
    public func value<Value: Decodable>(
        _ name: String, as type: Value.Type = Value.self
    ) throws -> Value {
        let key = PropertyName(name)
        return try decoder.decode(type, decoder.require(key), key)
    }

    /// Returns a value of any type, through its `Decodable` conformance, or nil if it is missing or
    /// `null`.
    ///
    /// - Parameters:
    ///   - name: the key of the property.
    ///   - type: the type, which is usually inferred.
    /// - Throws: `DecodingError` if it cannot be decoded, and any error of the type.
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
