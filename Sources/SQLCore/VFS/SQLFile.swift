internal import CSQLite

/// An open file of a ``SQLVFS``, which forwards all calls to the file of the base VFS.
///
/// Subclasses override the methods that they change, and call `super` for the rest. The methods are
/// called on the thread that uses the connection, one at a time. They return SQLite's result codes;
/// the calls themselves do not throw, allocate or retain.
///
/// ```swift
/// struct Fault: Error {}
/// final class FailingFile: SQLFile {
///     override func sync(flags: Int32) -> SQLResultCode {
///         failure = SQLFileFailure(.syncFailed, Fault())
///         return .syncFailed
///     }
/// }
/// final class FailingVFS: SQLVFS, @unchecked Sendable {
///     override func makeFile(_ opening: SQLFileOpening) -> SQLFile { FailingFile(opening) }
/// }
/// try FailingVFS(name: "failing").register()
/// ```
/// The database, its journal, its WAL and temporary files are separate objects; ``kind``
/// distinguishes them. Locks, and the shared memory of WAL mode, must be forwarded unless a
/// subclass implements them for all processes.
open class SQLFile {
    /// The purpose of the file, by which a subclass decides what to change.
    public let kind: SQLFileKind
    /// The full path; nil for a temporary file without a name.
    public let path: String?

    /// The error of the latest call that failed, if it is more specific than the result code. The
    /// `SQLError` for that code has it as its `cause`.
    ///
    /// A subclass sets it before it returns a code other than `.ok`. It remains until the error has
    /// been reported.
    public var failure: SQLFileFailure?

    /// The connection that uses a database file, set when SQLite reports it.
    var handle: OpaquePointer?
    private let base: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafePointer<sqlite3_io_methods>

    /// Wraps a file of the base VFS.
    ///
    /// - Parameter opening: The file that the base VFS has opened; the argument of
    ///   ``SQLVFS/makeFile(_:)``.
    public init(_ opening: SQLFileOpening) {
        kind = opening.kind
        path = opening.path
        base = opening.base
        methods = opening.base.pointee.pMethods
    }

    /// Reads bytes. Past the end of the file the buffer is filled with zeros, and the result is
    /// `.shortRead`. `xRead`
    ///
    /// - Parameters:
    ///   - buffer: The destination; as many bytes are read as it has.
    ///   - offset: The offset in the file, in bytes.
    open func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        SQLResultCode(
            rawValue: methods.pointee.xRead(
                base, buffer.baseAddress, Int32(truncatingIfNeeded: buffer.count), offset))
    }

    /// Writes bytes; the file grows as needed. `xWrite`
    open func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        SQLResultCode(
            rawValue: methods.pointee.xWrite(
                base, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count), offset))
    }

    /// Truncates the file. `xTruncate`
    open func truncate(to size: Int64) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xTruncate(base, size))
    }

    /// Flushes the file to disk; `flags` are `SQLITE_SYNC_…`. `xSync`
    open func sync(flags: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xSync(base, flags))
    }

    /// Stores the size of the file in bytes in `size`. `xFileSize`
    open func size(_ size: inout Int64) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xFileSize(base, &size))
    }

    /// Raises the lock to a level of `SQLITE_LOCK_…`. `xLock`
    open func lock(_ level: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xLock(base, level))
    }

    /// Lowers the lock to a level of `SQLITE_LOCK_…`. `xUnlock`
    open func unlock(_ level: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xUnlock(base, level))
    }

    /// Stores 1 if any connection holds a reserved lock, else 0. `xCheckReservedLock`
    open func checkReservedLock(_ isReserved: inout Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xCheckReservedLock(base, &isReserved))
    }

    /// Handles a file-control request, `SQLITE_FCNTL_…`; returns `SQLITE_NOTFOUND` for an unknown
    /// one. `xFileControl`
    open func control(_ request: Int32, _ argument: UnsafeMutableRawPointer?) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xFileControl(base, request, argument))
    }

    /// Handles a pragma of any name; SQLite runs it only if the result is `.unknown`.
    /// `SQLITE_FCNTL_PRAGMA`
    ///
    /// ```swift
    /// final class StatisticsFile: SQLFile {
    ///     var reads = 0
    ///     override func pragma(_ name: String, _ value: String?) -> SQLPragmaResult {
    ///         name == "file_reads" ? .done("\(reads)") : .unknown
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the pragma.
    ///   - value: The value after `=` or in parentheses; nil if there is none.
    open func pragma(_ name: String, _ value: String?) -> SQLPragmaResult { .unknown }

    /// Whether SQL alone must not copy an attached database in this file, because the copy would be
    /// readable without its key.
    open var keepsCopiesToItself: Bool { false }

    /// Called when the connection of the file is known. The file is open, and only its header has
    /// been read. `SQLITE_FCNTL_PDB`
    open func connected() {}

    /// The smallest number of bytes that is written atomically. `xSectorSize`
    open var sectorSize: Int32 { methods.pointee.xSectorSize(base) }

    /// The guarantees of the device, `SQLITE_IOCAP_…`. `xDeviceCharacteristics`
    open var deviceCharacteristics: Int32 { methods.pointee.xDeviceCharacteristics(base) }

    /// Closes the file; it is the last call. `xClose`
    open func close() -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xClose(base))
    }

    /// Maps a region of the wal-index, which the connections of a database share. `xShmMap`
    open func mapSharedMemory(
        region: Int32, size: Int32, extend: Int32,
        _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> SQLResultCode {
        SQLResultCode(
            rawValue: methods.pointee.xShmMap(
                base, region, size, extend,
                UnsafeMutableRawPointer(memory).assumingMemoryBound(
                    to: Optional<UnsafeMutableRawPointer>.self)))
    }

    /// Locks or unlocks slots of the wal-index; `flags` are `SQLITE_SHM_…`. `xShmLock`
    open func lockSharedMemory(offset: Int32, count: Int32, flags: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xShmLock(base, offset, count, flags))
    }

    /// A memory barrier between accesses to the wal-index. `xShmBarrier`
    open func sharedMemoryBarrier() {
        methods.pointee.xShmBarrier(base)
    }

    /// Unmaps the wal-index, and deletes it if `delete` is not 0. `xShmUnmap`
    open func unmapSharedMemory(delete: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xShmUnmap(base, delete))
    }

    /// The file to which this one forwards, if a ``SQLVFS`` opened that file; nil if it is a file
    /// of the system.
    public var wrapped: SQLFile? { Self.object(of: base) }

    /// Whether the base file supports shared memory, which WAL mode requires.
    var sharesMemory: Bool { methods.pointee.iVersion >= 2 && methods.pointee.xShmMap != nil }
}

extension SQLError {
    /// Creates the error of the latest call on `handle`.
    ///
    /// - Parameter start: The byte offset in `sql` of the statement that failed.
    init(handle: OpaquePointer?, code: Int32, sql: String? = nil, from start: Int = 0) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // The connection stores the code of its latest failure, which may be another one.
        let isLatest = extended & 0xFF == code & 0xFF
        let latest = isLatest ? handle.flatMap { sqlite3_errmsg($0) } : nil
        let hasKey = sql.map(SQLRedaction.mayHoldKey) ?? false
        // SQLite's message can contain parts of the statement.
        let text = (hasKey ? nil : latest) ?? sqlite3_errstr(code)
        let message = text.map { String(cString: $0) } ?? "unknown error"
        let offset = isLatest ? handle.map { Int(shim_error_offset($0)) } ?? -1 : -1
        self.init(
            code: SQLResultCode(rawValue: isLatest ? extended : code),
            message: message,
            sql: hasKey ? SQLRedaction.statementWithKey : sql,
            offset: sql == nil || offset < 0 ? nil : start + offset,
            cause: handle.flatMap { Self.cause($0, isLatest ? extended : code) })
    }

    /// The error that a file has recorded for the failure; only for codes that files return.
    private static func cause(_ handle: OpaquePointer, _ code: Int32) -> (any Error)? {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY,
            SQLITE_MISUSE:
            SQLFile.takeFailure(handle, code)
        default: nil
        }
    }
}
