/// An error that occurs when bytes cannot be read as Fleece or JSON, or a value cannot be written.
///
/// Everything in this module that throws throws this type, except `Codable` types, which throw
/// `EncodingError` and `DecodingError`, and closures, which throw their own errors.
///
/// ```swift
/// do {
///     let document = try FleeceDocument(json: json)
///     show(document.root)
/// } catch let error as FleeceError where error.code == .jsonError {
///     show("line ends at byte \(error.offset ?? 0): \(error.message)")
/// }
/// ```
///
/// Expected outcomes are return values, not errors: a key that a dictionary does not have, or a
/// value of another kind, is nil.
///
/// After an error in the middle of a document, an encoder must be ``FleeceEncoder/reset()``.
public struct FleeceError: Error, Hashable, Sendable {
    /// The kind of failure; the numbers are those of the Fleece C API.
    public enum Code: Int, Sendable {
        /// A size or depth is beyond what the format or this implementation allows.
        case outOfRange = 2
        /// The bytes are not Fleece, or a value cannot be represented.
        case invalidData = 3
        /// Methods of the encoder were called in the wrong order.
        case encodeError = 4
        /// The text is not JSON.
        case jsonError = 5
    }

    /// The kind of failure, for programs; ``message`` is for people.
    public let code: Code
    /// A description of the failure, without a final period.
    ///
    /// It does not contain the offset, which ``description`` appends.
    public let message: String
    /// The byte offset in the input, which is JSON or a document; nil if there is none.
    ///
    /// ```swift
    /// let bytes = Array(json.utf8)
    /// do {
    ///     show(try FleeceDocument(json: json).root)
    /// } catch let error as FleeceError {
    ///     let line = bytes.prefix(error.offset ?? 0).count { $0 == UInt8(ascii: "\n") } + 1
    ///     show("line \(line): \(error.message)")
    /// }
    /// ```
    public let offset: Int?

    /// Creates an error from its parts, for example in an implementation of ``FleeceCodable``.
    ///
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: a description, without a final period and without the offset.
    ///   - offset: the byte offset in the input (default: nil).
    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension FleeceError: CustomStringConvertible {
    /// The message, and the offset if there is one.
    ///
    /// For example `a key is neither a string nor a number (at byte 10)`.
    public var description: String {
        offset.map { "\(message) (at byte \($0))" } ?? message
    }
}

extension FleeceError {
    /// The error for collections nested more deeply than the limit.
    static func tooDeep(offset: Int? = nil) -> FleeceError {
        FleeceError(
            .outOfRange, "over \(FleeceLimits.walkDepth) levels of nesting", offset: offset)
    }
}
