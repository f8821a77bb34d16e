/// How values that conform to `Encodable` are written as Fleece.
///
/// ```swift
/// struct Person: Codable {
///     var name: String
///     var age: Int?
/// }
/// let bytes = try FleeceRowEncoder().encode(Person(name: "Ada", age: 36))
/// ```
/// Nothing stands between the value and its bytes: what it encodes is written as it comes. Only if
/// a container is written to while one that was opened inside it is still in use, the rest of it
/// is kept aside until it ends.
///
/// Structures and dictionaries with keys of `String` or `Int` become dictionaries, of equal keys
/// the last one wins; what encodes nothing becomes an empty dictionary. Data is Fleece's own data,
/// `UUID`, `URL` and `Decimal` are strings, an integer beyond 64 bits is the string of its digits.
public struct FleeceRowEncoder: Sendable {
    /// What dates become.
    public enum DateForm: Sendable {
        /// ISO 8601 in UTC with milliseconds if there are any, as in Couchbase Lite:
        /// `2008-08-07T05:18:51.589Z`. Years 0 to 9999 only.
        case text
        /// The integer of milliseconds since the beginning of 1970 in UTC.
        case milliseconds
    }

    /// What becomes of nil in a property; in an array it is always `null`.
    public enum NilForm: Sendable {
        /// What the type asks for: `encodeIfPresent`, which the compiler uses for optional
        /// properties, writes nothing; `encode` and `encodeNil` write `null`.
        case asCoded
        /// The property is always left out.
        case leftOut
        /// The property is always `null`.
        case null
    }

    /// What dates become.
    public var dates = DateForm.text
    /// What becomes of nil in a property.
    public var nils = NilForm.asCoded
    /// What the types that are encoded can ask their encoder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Dates as text, and nil as the types ask for it.
    public init() {}

    /// Whether nothing is to be other than the types themselves have it.
    var isOwn: Bool { dates == .text && nils == .asCoded && userInfo.isEmpty }

    /// The document of a value, without shared keys.
    ///
    /// Throws `EncodingError.invalidValue` with the coding path of what cannot be written: NaN, a
    /// date out of range, values nested more than `FleeceLimits.walkDepth` deep or deeper than the
    /// stack allows, containers that contradict each other; and what the value's own `encode(to:)`
    /// throws. A value whose encoding has begun cannot be taken back: if it fails, all does, even
    /// if the error is caught on the way.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.encode(value, as: self)
        return try encoder.finish()
    }

    /// The document of a value, with the keys of a table, which takes up new ones.
    ///
    /// Throws as `encode(_:)` does; the table is then as it was before.
    public func encode(_ value: some Encodable, sharedKeys: inout SharedKeys) throws -> [UInt8] {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys)
        try encoder.encode(value, as: self)
        let bytes = try encoder.finish()
        if let keys = encoder.sharedKeys { sharedKeys = keys }
        return bytes
    }
}

extension FleeceEncoder {
    /// Writes a value by its conformance to `Encodable`, where a value is due.
    ///
    /// Throws as `FleeceRowEncoder.encode(_:)` does; the encoder then has to be `reset()`, and may
    /// have new shared keys.
    public mutating func encode<Value: Encodable>(
        _ value: Value, as form: FleeceRowEncoder = FleeceRowEncoder()
    ) throws {
        if form.isOwn, let direct = Value.self as? any FleeceCodable.Type {
            return try direct.write(value, to: &self)
        }
        try withUnsafeMutablePointer(to: &self) { output in
            let stream = EncodingStream(output: output, form: form)
            try stream.encodeRoot(value)
        }
    }
}
