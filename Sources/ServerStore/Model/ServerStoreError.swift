/// An error of a server store: what happened, to what, why, and what to do about it. Errors of the
/// database are `StoreError`.
public struct ServerStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// A list without servers would replace one with servers.
        case emptyList
        /// Two servers of a list, or two endpoints of a server, have the same id.
        case duplicateID
        /// The id of a server is empty or not a valid document id.
        case invalidID
        /// A number of a server is invalid, such as a score that is NaN, or negative features.
        case invalidNumber
        /// A response is outdated: since its request, another one was written, or the servers were
        /// removed.
        case outdatedResponse
        /// The server does not exist.
        case unknownServer
        /// A newer version of this library has written the file.
        case newerVersion
        /// A file was not written by this library.
        case notReadable
        /// The input is not a list of servers, or cannot be written as one.
        case invalidJSON
        /// The store was closed.
        case closed
    }

    /// The kind of error.
    public let code: Code
    /// One line: what happened, to what, and what to do.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
