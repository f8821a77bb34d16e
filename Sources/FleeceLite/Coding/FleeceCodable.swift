/// A `Codable` type that also writes and reads its properties explicitly by name, which takes a
/// third of the time of the compiler's `Codable` conformance.
///
/// ```swift
/// struct Person: FleeceCodable {
///     var name: String
///     var age: Int?
///
///     func write(to encoder: inout FleeceEncoder) throws {
///         encoder.beginDictionary()
///         try encoder.write("name", name)
///         try encoder.write("age", age)
///         try encoder.endDictionary()
///     }
///
///     init(_ properties: FleeceProperties) throws {
///         name = try properties.string("name")
///         age = try properties.intIfPresent("age")
///     }
/// }
/// let person = try FleeceRowDecoder().decode(Person.self, from: fleece.root)
/// let bytes = try FleeceRowEncoder().encode(person)
/// ```
///
/// ``FleeceRowEncoder`` and ``FleeceRowDecoder`` use this conformance for the root value, unless
/// their settings change the form of dates or of nil, or provide `userInfo`. Nested values are
/// coded by their `Codable` conformance, or call the methods of this protocol explicitly. Both
/// conformances must produce the same properties: compare the bytes of both in a test.
///
/// Conform only types that are coded very often; a plain `Codable` type needs no code. See
/// <doc:CodableTypes>.
public protocol FleeceCodable: Codable {
    /// Reads the properties of a dictionary.
    ///
    /// Read them in the order in which ``write(to:)`` writes them, which is fastest.
    ///
    /// - Parameter properties: the properties, to be used only in this call.
    /// - Throws: the errors of the methods of ``FleeceProperties``, or the type's own.
    init(_ properties: FleeceProperties) throws

    /// Writes one dictionary: ``FleeceEncoder/beginDictionary()``, the properties,
    /// ``FleeceEncoder/endDictionary()``.
    ///
    /// - Parameter encoder: the encoder, which expects a value.
    /// - Throws: the errors of the encoder's methods, or the type's own.
    func write(to encoder: inout FleeceEncoder) throws
}

extension FleeceCodable {
    /// Writes a value of this type through a generic parameter that is the same type.
    static func write<Value>(_ value: Value, to encoder: inout FleeceEncoder) throws {
        try unsafeBitCast(value, to: Self.self).write(to: &encoder)
    }

    /// Reads a value of this type through a generic parameter that is the same type.
    static func read<Value>(_ decoder: ValueDecoder, as type: Value.Type) throws -> Value {
        unsafeBitCast(try Self(FleeceProperties(decoder)), to: type)
    }
}
