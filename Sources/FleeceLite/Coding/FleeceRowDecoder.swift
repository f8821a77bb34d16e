/// How values that conform to `Decodable` are read from Fleece.
///
/// ```swift
/// let person = try FleeceRowDecoder().decode(Person.self, from: document.root)
/// ```
/// Properties are looked up in the document's bytes, with nothing between them and the values.
///
/// Numbers are taken only as what they are: an integer may be read as any type that it fits in, a
/// whole floating-point number as an integer; what does not fit is an error. Only `Float`, and
/// `Decimal` beyond its 38 digits, take the nearest number. `undefined` in a dictionary is no
/// property, elsewhere it is nil like `null`.
/// Data is read from data or from base64, a date from ISO 8601 text or from milliseconds since
/// 1970, `Decimal` from a string or a number.
///
/// A decoder remembers where properties were found: keep one for many values, or take `shared`. Its
/// copies, and threads, share what it has learnt. In damaged bytes that have a key twice, either
/// property may be read.
public struct FleeceRowDecoder: Sendable {
    /// The most that is read for one value: bytes of strings and data, 512 for an array or
    /// dictionary and 8 for each of its elements or properties; nil for 64 MiB or 128 times the
    /// size of the value's document, whichever is more. A small document that uses its parts again
    /// and again can stand for a very large one.
    public var maximumBytes: Int?
    /// What the types that are decoded can ask their decoder for.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    let hints = RowKeyCache()

    /// The decoder of calls that name none: with the limit that `maximumBytes` tells, and shared by
    /// the whole process.
    public static let shared = FleeceRowDecoder()

    /// With the limit that `maximumBytes` tells.
    public init() {}

    /// The value that a Fleece value stands for.
    ///
    /// Throws `DecodingError` with the coding path of what is missing, is of another type, does not
    /// fit, is corrupt, or is nested more than `FleeceLimits.walkDepth` deep or deeper than the
    /// stack allows; and what the type's own `init(from:)` throws.
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
        // A type may have gone on over the error that says so.
        try source.requireNotExhausted(type)
        return result
    }

    /// The value that a document's root stands for.
    ///
    /// Throws as `decode(_:from:)` of a value does, and `FleeceError.Code.invalidData` if the bytes
    /// have no root. They need not be trusted.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys()
    ) throws -> Value {
        let document = try FleeceDocument(trusted: bytes, sharedKeys: sharedKeys)
        return try decode(type, from: document.root)
    }
}

/// At which pairs the properties of the values that a row decoder reads were found last.
///
/// The documents of a collection tend to have the same keys, so that one comparison does for a
/// search in the next one, whatever the order a type asks in.
final class RowKeyCache: Sendable {
    let keys = InlineKeyCache.allocated()

    deinit { keys.deallocate() }
}
