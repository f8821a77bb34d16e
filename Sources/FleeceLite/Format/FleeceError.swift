/// Why bytes could not be read as Fleece or JSON, or a value could not be written.
public struct FleeceError: Error, Hashable, Sendable {
    /// What kind of failure it is; the numbers are those of the Fleece C API.
    public enum Code: Int, Sendable {
        /// A size or depth beyond what the format or this implementation allows.
        case outOfRange = 2
        /// The bytes are not Fleece, or a value cannot be represented.
        case invalidData = 3
        /// The encoder was called in the wrong order.
        case encodeError = 4
        /// The text is not JSON.
        case jsonError = 5
    }

    /// The kind of failure.
    public let code: Code
    /// What was wrong, without a full stop.
    public let message: String
    /// The byte offset in the input, where there is one.
    public let offset: Int?

    /// Makes an error from its parts.
    public init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension FleeceError: CustomStringConvertible {
    /// The message, and the offset if it has one.
    public var description: String {
        offset.map { "\(message) (at byte \($0))" } ?? message
    }
}

extension FleeceError {
    /// More collections inside collections than are walked.
    static func tooDeep(offset: Int? = nil) -> FleeceError {
        FleeceError(
            .outOfRange, "over \(FleeceLimits.walkDepth) levels of nesting", offset: offset)
    }
}
