/// What a server store could not do: to what, why, and what to do about it. What the engine beneath
/// it throws is a `StoreError`.
public struct ServerStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    public enum Code: Hashable, Sendable {
        /// A list without servers was to replace one that has some.
        case emptyList
        /// Two servers of a list have one id, or two endpoints of a server.
        case duplicateID
        /// A server has no id, or one that nothing can be kept under.
        case invalidID
        /// A number of a server is none, as a score that is NaN, or features below 0.
        case invalidNumber
        /// An answer came too late: another one was written since it was asked for, or the servers
        /// were removed.
        case outdatedResponse
        /// There is no such server.
        case unknownServer
        /// A newer version of this library has written the file.
        case newerVersion
        /// A file is not what this library has written.
        case notReadable
        /// What the API or a file gave is not a list of servers, or not wholly.
        case invalidJSON
        /// The store was closed.
        case closed
    }

    /// What kind of error it is.
    public let code: Code
    /// One line: what happened, to what, what to do.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
