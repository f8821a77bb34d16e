public import SQLCore

/// The operations of a file system that can be counted and made to fail.
///
/// They are the calls of SQLite's VFS interface. Closing a file and releasing a lock are not among
/// them: they do not fail.
///
/// ```swift
/// let vfs = try FaultVFS.registered()
/// try vfs.open(testDirectory("a.db")).exec(sql: "CREATE TABLE t (a)")
/// let counts = FaultOperation.allCases.map { "\($0): \(vfs.count(of: $0))" }
/// ```
public enum FaultOperation: String, CaseIterable, Hashable, Sendable {
    /// Opening a file, `xOpen`; on a failure, a missing file is still created, and is empty.
    case open
    /// Reading from a file, `xRead`. Pages in SQLite's cache are not read again.
    case read
    /// Writing to a file, `xWrite`; the only operation that can be torn.
    case write
    /// Making writes durable, `xSync`.
    case sync
    /// Shortening a file, `xTruncate`, such as a WAL after a checkpoint.
    case truncate
    /// Deleting a file, `xDelete`, such as a journal at a commit.
    case delete
    /// Looking whether a journal exists, `xAccess`.
    case access
    /// Reading the size of a file, `xFileSize`.
    case size
    /// Locking a database, `xLock`; unlocking never fails.
    case lock
    /// Mapping the wal-index, `xShmMap`.
    case mapSharedMemory
    /// Locking a part of the wal-index, `xShmLock`; unlocking never fails.
    case lockSharedMemory

    /// The code with which SQLite's own file system would fail, such as `SQLITE_IOERR_FSYNC` for a
    /// sync.
    ///
    /// It is an extended result code, except for ``open``, whose code is `SQLITE_CANTOPEN`.
    public var code: SQLResultCode {
        switch self {
        case .open: .cannotOpen
        case .read: .readFailed
        case .write: .writeFailed
        case .sync: .syncFailed
        case .truncate: .truncateFailed
        case .delete: .inputOutput(10)
        case .access: .inputOutput(13)
        case .size: .inputOutput(7)
        case .lock: .inputOutput(15)
        case .mapSharedMemory: .inputOutput(21)
        case .lockSharedMemory: .inputOutput(20)
        }
    }
}

extension SQLResultCode {
    /// `SQLITE_IOERR | (n<<8)`
    fileprivate static func inputOutput(_ extension: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: SQLResultCode.inputOutput.rawValue | `extension` << 8)
    }
}
