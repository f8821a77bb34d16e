import CSQLite

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
    open func pragma(_ name: String, _ value: String?) -> SQLPragmaAnswer { .unknown }

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
