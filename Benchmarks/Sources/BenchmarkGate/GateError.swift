/// What keeps the gate from measuring or comparing, in one line.
public struct GateError: Error, CustomStringConvertible, Equatable {
    /// What happened, where, and what to do.
    public let message: String

    /// An error of this text.
    public init(_ message: String) {
        self.message = message
    }

    /// The same line.
    public var description: String { message }
}
