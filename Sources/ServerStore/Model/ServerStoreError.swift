/// An error of a server store: what happened, to what, why, and what to do about it.
///
/// Errors of the database, such as a full disk or a busy file, are `StoreError`. A selection
/// without a result throws ``ServerSelectionFailure``. Decide by ``code``, and log ``message``:
/// ```swift
/// do {
///     try repository.replaceList(servers)
/// } catch let error as ServerStoreError where error.code == .emptyList {
///     print("The previous list stays: \(error.message)")
/// }
/// ```
/// An error of a write leaves the file unchanged: the transaction is rolled back.
public struct ServerStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of errors. A later version may add others, so handle those that you expect and
    /// rethrow the rest.
    public enum Code: Hashable, Sendable {
        /// A list without servers would replace one with servers.
        case emptyList
        /// Two servers of a list, or two endpoints of a server, have the same ID.
        case duplicateID
        /// The ID of a server is empty or not a valid document ID.
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

    /// The kind of error, by which a program decides what to do.
    public let code: Code
    /// One line in English: what happened, to what, and what to do. It can contain IDs and
    /// file paths.
    public let message: String

    /// The message, as in ``message``.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
