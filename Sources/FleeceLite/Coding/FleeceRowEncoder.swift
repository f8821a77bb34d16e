/// Encodes values that conform to `Encodable` as Fleece.
///
/// ```swift
/// struct Person: Codable {
///     var name: String
///     var age: Int?
/// }
/// let bytes = try FleeceRowEncoder().encode(Person(name: "Ada", age: 36))
/// ```
///
/// Values are written directly as they are encoded; there is no intermediate representation. Only
/// if a container is written to while a nested container is still in use, the rest of it is
/// buffered until the nested one ends.
///
/// Structures and dictionaries with keys of `String` or `Int` become dictionaries; of equal keys
/// the last one wins. A nested value that encodes nothing becomes an empty dictionary. Data becomes
/// Fleece data; `UUID`, `URL` and `Decimal` become strings, and an integer beyond 64 bits becomes
/// the string of its digits.
///
/// ``dates`` and ``nils`` choose the form of dates and of nil:
///
/// ```swift
/// var encoder = FleeceRowEncoder()
/// encoder.dates = .milliseconds
/// encoder.nils = .null
/// let bytes = try encoder.encode(["born": Date(timeIntervalSince1970: 0)])
/// ```
///
/// To write a value inside a document, use ``FleeceEncoder/encode(_:as:)``. To encode many values,
/// use one ``FleeceEncoder``, which reuses its buffers. The structure can be used by any thread.
///
/// See <doc:CodableTypes> for the form of each type, and ``FleeceCodable`` for types that are
/// encoded very often.
public struct FleeceRowEncoder: Sendable {
    /// The form in which dates are written. ``FleeceRowDecoder`` reads both.
    public enum DateForm: Sendable {
        /// ISO 8601 in UTC, with milliseconds unless they are zero, as in Couchbase Lite:
        /// `2008-08-07T05:18:51.589Z`. Years 0 to 9999 only.
        case text
        /// An integer: milliseconds since 1970-01-01 in UTC.
        case milliseconds
    }

    /// The form in which nil is written in a property; in an array it is always `null`.
    ///
    /// ``FleeceRowDecoder`` reads a missing property and `null` as nil.
    public enum NilForm: Sendable {
        /// As the type requests: `encodeIfPresent`, which the compiler uses for optional
        /// properties, writes nothing; `encode` and `encodeNil` write `null`.
        case asCoded
        /// The property is always omitted.
        case leftOut
        /// The property is always `null`.
        case null
    }

    /// The form in which dates are written (default: ``DateForm/text``).
    ///
    /// Milliseconds take fewer bytes; text is readable, and is the form of Couchbase Lite.
    public var dates = DateForm.text
    /// The form in which nil is written in a property (default: ``NilForm/asCoded``).
    public var nils = NilForm.asCoded
    /// The values that the encoded types can read from their encoder (default: none).
    ///
    /// If there are any, types that conform to ``FleeceCodable`` are encoded by their `Codable`
    /// conformance.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the default settings, which costs nothing.
    public init() {}

    /// Whether all settings have their defaults.
    var isOwn: Bool { dates == .text && nils == .asCoded && userInfo.isEmpty }

    /// Encodes a value as a document without shared keys.
    ///
    /// A nested value whose encoding has started cannot be undone: if it fails, the whole call
    /// fails, even if the error is caught by the enclosing type.
    ///
    /// - Parameter value: the value, which becomes the root.
    /// - Returns: the bytes of the document.
    /// - Throws: `EncodingError.invalidValue` with the coding path of what cannot be written: NaN,
    ///   a date out of range, a root that encodes nothing, values nested more than
    ///   ``FleeceLimits/walkDepth`` deep or deeper than the stack allows, containers that
    ///   contradict each other; and any error that the value's own `encode(to:)` throws.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.encode(value, as: self)
        return try encoder.finish()
    }

    /// Encodes a value as a document that uses shared keys; new keys are added to the table.
    ///
    /// ```swift
    /// var keys = SharedKeys()
    /// let bytes = try FleeceRowEncoder().encode(["name": "Ada"], sharedKeys: &keys)
    /// let document = try FleeceDocument(trusted: bytes, sharedKeys: keys)
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value, which becomes the root.
    ///   - sharedKeys: the table, which must be stored with the document.
    /// - Returns: the bytes of the document.
    /// - Throws: as ``encode(_:)`` does; the table is then unchanged.
    public func encode(_ value: some Encodable, sharedKeys: inout SharedKeys) throws -> [UInt8] {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys)
        try encoder.encode(value, as: self)
        let bytes = try encoder.finish()
        if let keys = encoder.sharedKeys { sharedKeys = keys }
        return bytes
    }
}

extension FleeceEncoder {
    /// Writes a value through its `Encodable` conformance, where a value is expected.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder(sharedKeys: sharedKeys)
    /// encoder.beginDictionary()
    /// try encoder.writeKey("scores")
    /// try encoder.encode(["Ada": 1.5, "Grace": 2])
    /// try encoder.endDictionary()
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value, of any `Encodable` type.
    ///   - form: the form of dates and nil (default: that of ``FleeceRowEncoder/init()``).
    /// - Throws: as ``FleeceRowEncoder/encode(_:)`` does; the encoder must then be ``reset()``, and
    ///   may have added shared keys.
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
