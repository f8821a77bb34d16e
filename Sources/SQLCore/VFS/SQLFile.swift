internal import CSQLite

/// An open file of a `SQLVFS`, which hands everything on to the file of the base VFS.
///
/// Subclasses override what they change, and call `super` for the rest. The methods are called on
/// the thread that uses the connection, one at a time. They return SQLite's codes: nothing is
/// thrown, and nothing is allocated or retained by a call.
open class SQLFile {
    /// What the file is for.
    public let kind: SQLFileKind
    /// Its full path; nil for a temporary file without a name.
    public let path: String?

    /// What the latest call that failed would say, if it could say more than a code: the error that
    /// SQLite makes of the code has it as its `cause`.
    public var failure: SQLFileFailure?

    /// The connection that uses a database file, once SQLite has told it.
    var handle: OpaquePointer?
    private let base: UnsafeMutablePointer<sqlite3_file>
    private let methods: UnsafePointer<sqlite3_io_methods>

    /// Wraps a file of the base VFS.
    public init(_ opening: SQLFileOpening) {
        kind = opening.kind
        path = opening.path
        base = opening.base
        methods = opening.base.pointee.pMethods
    }

    /// Reads bytes; what lies beyond the end of the file is filled with zeros, and the result is
    /// `.shortRead` then. `xRead`
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

    /// Cuts the file. `xTruncate`
    open func truncate(to size: Int64) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xTruncate(base, size))
    }

    /// Writes what the system holds back; `flags` are `SQLITE_SYNC_…`. `xSync`
    open func sync(flags: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xSync(base, flags))
    }

    /// Gives the file's size in bytes. `xFileSize`
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

    /// Gives 1 if any connection is about to write, else 0. `xCheckReservedLock`
    open func checkReservedLock(_ isReserved: inout Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xCheckReservedLock(base, &isReserved))
    }

    /// Other requests, `SQLITE_FCNTL_…`; `SQLITE_NOTFOUND` for unknown ones. `xFileControl`
    open func control(_ request: Int32, _ argument: UnsafeMutableRawPointer?) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xFileControl(base, request, argument))
    }

    /// Runs a pragma, whatever its name; SQLite knows nothing of those that it answers.
    /// `SQLITE_FCNTL_PRAGMA`
    ///
    /// - Parameter value: what stands behind `=` or in parentheses.
    open func pragma(_ name: String, _ value: String?) -> SQLPragmaResult { .unknown }

    /// Whether SQL alone may not copy an attached database in this file: the copy would be readable
    /// to more people.
    open var keepsCopiesToItself: Bool { false }

    /// Called when SQLite has told the file its connection; the file is open then, and nothing but
    /// its header was read. `SQLITE_FCNTL_PDB`
    open func connected() {}

    /// The smallest number of bytes that is written at once. `xSectorSize`
    open var sectorSize: Int32 { methods.pointee.xSectorSize(base) }

    /// What SQLite may rely on, `SQLITE_IOCAP_…`. `xDeviceCharacteristics`
    open var deviceCharacteristics: Int32 { methods.pointee.xDeviceCharacteristics(base) }

    /// Closes the file; called once, at the end. `xClose`
    open func close() -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xClose(base))
    }

    /// Gives a region of the memory that the connections of a WAL database share. `xShmMap`
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

    /// Locks or unlocks slots of the shared memory; `flags` are `SQLITE_SHM_…`. `xShmLock`
    open func lockSharedMemory(offset: Int32, count: Int32, flags: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xShmLock(base, offset, count, flags))
    }

    /// Makes earlier reads and writes of the shared memory happen before later ones.
    /// `xShmBarrier`
    open func sharedMemoryBarrier() {
        methods.pointee.xShmBarrier(base)
    }

    /// Lets go of the shared memory, and deletes it if asked to. `xShmUnmap`
    open func unmapSharedMemory(delete: Int32) -> SQLResultCode {
        SQLResultCode(rawValue: methods.pointee.xShmUnmap(base, delete))
    }

    /// The file that this one hands on to, if a `SQLVFS` opened that, too.
    public var wrapped: SQLFile? { Self.object(of: base) }

    /// Whether the base file can share memory, which WAL needs.
    var sharesMemory: Bool { methods.pointee.iVersion >= 2 && methods.pointee.xShmMap != nil }
}

extension SQLError {
    /// The error that `handle` has just met.
    ///
    /// - Parameter start: where in `sql` the statement begins that was at fault.
    init(handle: OpaquePointer?, code: Int32, sql: String? = nil, from start: Int = 0) {
        let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
        // A connection keeps the code of its latest failure: use it only if it is this one.
        let isLatest = extended & 0xFF == code & 0xFF
        let latest = isLatest ? handle.flatMap { sqlite3_errmsg($0) } : nil
        let hasKey = sql.map(SQLRedaction.mayHoldKey) ?? false
        // SQLite's message may have parts of the statement in it.
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

    /// What a file says of the failure; only of codes that files return.
    private static func cause(_ handle: OpaquePointer, _ code: Int32) -> (any Error)? {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY,
            SQLITE_MISUSE:
            SQLFile.takeFailure(handle, code)
        default: nil
        }
    }
}
