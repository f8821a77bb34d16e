/// How a data file is opened.
public struct DataFileOptions: Sendable {
    /// What the handle may do.
    public enum Access: Sendable {
        /// Read, and leave every byte of the file as it is.
        case readOnly
        /// Read and write a file that exists.
        case readWrite
        /// Read and write, and make the file if there is none.
        case create
    }

    /// What the handle may do.
    public var access: Access
    /// How long to wait for another process's lock.
    public var busyTimeoutMilliseconds = 10_000

    /// Options with this access; otherwise LiteCore's defaults.
    public init(access: Access = .readOnly) {
        self.access = access
    }
}
