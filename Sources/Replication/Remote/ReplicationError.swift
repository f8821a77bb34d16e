/// An error of a replication.
public struct ReplicationError: Error, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    public enum Code: Sendable, Hashable {
        /// The connection failed or was lost. Trying again later can help.
        case unreachable
        /// The remote does not accept the credentials or does not grant a right, or its certificate
        /// is not valid.
        case unauthorized
        /// The remote's tables are of another format than this version writes, or are missing.
        case incompatible
        /// The remote sent something that is not possible.
        case badRemoteData
        /// The remote cannot store anything, for example because its disk is full.
        case remoteFailure
        /// Another replicator, perhaps of another process, replicates the same collection of this
        /// file with the same endpoint.
        case alreadyRunning
        /// The arguments are wrong.
        case invalidParameter
    }

    /// The kind.
    public let code: Code
    /// What happened, and what to do about it; without credentials.
    public let message: String
    /// The error that caused it.
    public let underlying: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Whether a continuous replication tries again.
    public var isTransient: Bool { code == .unreachable || code == .remoteFailure }

    /// The message.
    public var description: String { message }
}
