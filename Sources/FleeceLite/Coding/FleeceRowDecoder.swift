/// Decodes values that conform to `Decodable` from Fleece.
///
/// ```swift
/// let person = try FleeceRowDecoder().decode(Person.self, from: fleece.root)
/// let names = try FleeceRowDecoder.shared.decode([String].self, from: fleeceBytes)
/// ```
///
/// Properties are looked up directly in the document's bytes; there is no intermediate
/// representation.
///
/// **Numbers** are never converted with a loss: an integer can be read as any type that it fits in,
/// a whole floating-point number as an integer; a number that does not fit is an error. Only
/// `Float`, and `Decimal` beyond its 38 digits, take the nearest number.
///
/// **Nil.** `undefined` in a dictionary counts as a missing property, elsewhere as nil like `null`.
///
/// **Other types.** Data is read from data or from Base64, a date from ISO 8601 text or from
/// milliseconds since 1970, `Decimal` from a string or a number.
///
/// **Errors** are Swift's `DecodingError`, with the coding path of the failing value:
///
/// ```swift
/// do {
///     show(try FleeceRowDecoder().decode([String: Int].self, from: fleece.root))
/// } catch DecodingError.typeMismatch(_, let context) {
///     show(context.codingPath.map(\.stringValue), context.debugDescription)
/// }
/// ```
///
/// **Cost.** A decoder caches the positions of properties: use one decoder for many values, or
/// ``shared``. Its copies and all threads share the cache. A type that is decoded very often can
/// conform to ``FleeceCodable``.
///
/// In damaged bytes that have a key twice, either property may be read. See <doc:CodableTypes>.
public struct FleeceRowDecoder: Sendable {
    /// The limit of what is read for one value, in bytes; nil for 64 MiB or 128 times the size of
    /// the value's document, whichever is more (default).
    ///
    /// Strings and data count their bytes, an array or dictionary 512 and each of its elements or
    /// properties 8. Beyond the limit, decoding throws `DecodingError.dataCorrupted`. The limit
    /// exists because a small document that refers to its parts repeatedly can stand for a very
    /// large one.
    ///
    /// ```swift
    /// var decoder = FleeceRowDecoder()
    /// decoder.maximumBytes = 1 << 20
    /// let person = try decoder.decode(Person.self, from: fleece.root)
    /// ```
    public var maximumBytes: Int?
    /// The values that the decoded types can read from their decoder (default: none).
    ///
    /// If there are any, types that conform to ``FleeceCodable`` are decoded by their `Codable`
    /// conformance.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    let cachedKeys = RowKeyCache()

    /// The decoder that is used by default, shared by the whole process. Its ``maximumBytes`` is
    /// nil.
    ///
    /// It can be used by any number of threads at the same time.
    public static let shared = FleeceRowDecoder()

    /// Creates a decoder with the default limit (see ``maximumBytes``) and its own cache.
    public init() {}

    /// Decodes a value of a document.
    ///
    /// ```swift
    /// let tags = try fleece.root["tags"].map {
    ///     try FleeceRowDecoder.shared.decode(Set<String>.self, from: $0)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the result.
    ///   - value: the value, which need not be the root.
    /// - Returns: the decoded value, which does not retain the document unless the type does.
    /// - Throws: `DecodingError` with the coding path of a value that is missing, has another type,
    ///   does not fit, is corrupt, or is nested more than ``FleeceLimits/walkDepth`` deep or deeper
    ///   than the stack allows; and any error that the type's own `init(from:)` throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from value: FleeceValue
    ) throws -> Value {
        let source = DecodingSource(value.document, self)
        if let scalar = source.scalars.scalar(type) {
            do throws(ReadFailure) {
                return try scalar.read(value.raw, source, as: type)
            } catch {
                throw error.decodingError(type, path: [])
            }
        }
        let decoder = ValueDecoder(source, value.raw)
        let result =
            if userInfo.isEmpty, let direct = type as? any FleeceCodable.Type {
                try direct.read(decoder, as: type)
            } else {
                try Value(from: decoder)
            }
        // A type may have caught this error and continued.
        try source.requireNotExhausted(type)
        return result
    }

    /// Decodes a document's root.
    ///
    /// The bytes are copied, and need not be trusted.
    ///
    /// - Parameters:
    ///   - type: the type of the result.
    ///   - bytes: the document.
    ///   - sharedKeys: the table to which its numeric keys refer (default: an empty one).
    /// - Returns: the decoded value.
    /// - Throws: as ``decode(_:from:)`` of a value does, and ``FleeceError/Code/invalidData`` if
    ///   the bytes have no root.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys()
    ) throws -> Value {
        let document = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
        return try decode(type, from: document.root)
    }
}

/// Caches the positions of properties in the dictionaries that a row decoder has read.
///
/// The documents of a collection tend to have the same keys. A single comparison then replaces a
/// search in the next document, regardless of the order in which a type reads its properties.
final class RowKeyCache: Sendable {
    let keys = InlineKeyCache.allocated()

    deinit { keys.deallocate() }
}
