/// An error that occurs when bytes cannot be read as Fleece or JSON, or a value cannot be written.
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

    /// The kind of failure.
    public let code: Code
    /// A description of the failure, without a final period.
    public let message: String
    /// The byte offset in the input; nil if there is none.
    public let offset: Int?

    /// Creates an error from its parts.
    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension FleeceError: CustomStringConvertible {
    /// The message, and the offset if there is one.
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
