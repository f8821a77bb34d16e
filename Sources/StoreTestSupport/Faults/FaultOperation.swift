public import SQLCore

/// The operations of a file system that can be counted and made to fail.
public enum FaultOperation: String, CaseIterable, Hashable, Sendable {
    /// `xOpen`; on a failure, a missing file is still created, and is empty.
    case open
    /// `xRead`
    case read
    /// `xWrite`
    case write
    /// `xSync`
    case sync
    /// `xTruncate`
    case truncate
    /// `xDelete`
    case delete
    /// `xAccess`: whether a journal exists.
    case access
    /// `xFileSize`
    case size
    /// `xLock`; unlocking never fails.
    case lock
    /// `xShmMap`: the wal-index.
    case mapSharedMemory
    /// `xShmLock`; unlocking never fails.
    case lockSharedMemory

    /// The code with which SQLite's own file system would fail, such as `SQLITE_IOERR_FSYNC`.
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
