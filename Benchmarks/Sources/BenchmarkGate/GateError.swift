/// An error of measuring or comparing, in one line.
public struct GateError: Error, CustomStringConvertible, Equatable {
    /// What happened, where, and what to do.
    public let message: String

    /// Creates an error with a message.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
