import CSQLite

// Access to files without a connection.
extension SQLVFS {
    /// Returns the full path of a file. `xFullPathname`
    ///
    /// ```swift
    /// let vfs = try SQLVFS(name: "paths")
    /// let path = try vfs.fullPath("people.db")  // /home/ada/people.db
    /// ```
    ///
    /// - Parameter path: A path, possibly relative to the current directory.
    /// - Throws: ``SQLError`` if the path cannot be resolved.
    public func fullPath(_ path: String) throws -> String {
        let count = Int(base.pointee.mxPathname) + 1
        return try withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { buffer in
            guard let start = buffer.baseAddress else { return path }
            let code = base.pointee.xFullPathname(base, path, Int32(count), start)
            // A symbolic link that was followed is not a failure.
            guard code & 0xFF == SQLITE_OK else {
                throw SQLError(
                    code: SQLResultCode(rawValue: code), message: "the path cannot be resolved")
            }
            return String(cString: start)
        }
    }

    /// Opens a rollback journal in the base VFS, and creates it if it does not exist. `xOpen`
    ///
    /// It is for a VFS that must undo its own changes after a crash, such as one that encrypts a
    /// file again with another key.
    ///
    /// - Parameter path: The full path.
    /// - Throws: ``SQLError``: `.cannotOpen`, with a ``SQLFileRefusal`` if the file is a symbolic
    ///   link or not a regular file.
    public func openJournal(_ path: String) throws -> SQLBaseFile {
        try SQLBaseFile(
            base, path,
            flags: SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// Whether a file exists. `xAccess`
    ///
    /// - Parameter path: The full path.
    /// - Returns: False also if it cannot be determined.
    public func exists(_ path: String) -> Bool {
        var result: Int32 = 0
        let code = path.withCString { access(path: $0, flags: SQLITE_ACCESS_EXISTS, &result) }
        return code == .ok && result != 0
    }
}

/// A file of the base VFS of a `SQLVFS`, without a connection.
///
/// It bypasses the ``SQLFile`` that the VFS would create. The file is closed when the object is
/// deinitialized. Its methods return SQLite's result codes instead of throwing.
/// ``SQLVFS/openJournal(_:)`` opens it.
public final class SQLBaseFile {
    private let file: UnsafeMutablePointer<sqlite3_file>
    /// SQLite's VFSs retain the pointer to the name.
    private let memoryOfName: UnsafeMutablePointer<CChar>

    init(_ base: UnsafeMutablePointer<sqlite3_vfs>, _ path: String, flags: Int32) throws {
        let size = Int(base.pointee.szOsFile)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        file = memory.assumingMemoryBound(to: sqlite3_file.self)
        // SQLite expects four zeros before the name, by which it finds the beginning, and the URI
        // parameters after it, here none.
        let bytes = [0, 0, 0, 0] + Array(path.utf8CString) + [0, 0, 0]
        memoryOfName = .allocate(capacity: bytes.count)
        memoryOfName.initialize(from: bytes, count: bytes.count)
        let code = base.pointee.xOpen(base, memoryOfName + 4, file, flags, nil)
        guard code == SQLITE_OK, file.pointee.pMethods != nil else {
            _ = file.pointee.pMethods?.pointee.xClose(file)
            file.pointee.pMethods = nil
            throw SQLError(
                code: SQLResultCode(rawValue: code == SQLITE_OK ? SQLITE_CANTOPEN : code),
                message: "\(path) cannot be opened", cause: FileGuard.takeRefusal(code))
        }
    }

    deinit {
        _ = file.pointee.pMethods?.pointee.xClose(file)
        UnsafeMutableRawPointer(file).deallocate()
        memoryOfName.deallocate()
    }

    /// Reads bytes; zeros past the end of the file. `xRead`
    ///
    /// - Parameters:
    ///   - buffer: The destination; as many bytes are read as it has.
    ///   - offset: The offset in the file, in bytes.
    /// - Returns: `.ok`, ``SQLResultCode/shortRead`` at the end of the file, or another code.
    public func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        SQLResultCode(
            rawValue: file.pointee.pMethods.pointee.xRead(
                file, buffer.baseAddress, Int32(clamping: buffer.count), offset))
    }

    /// Writes bytes; the file grows as needed. `xWrite`
    ///
    /// - Parameters:
    ///   - bytes: The bytes; all are written, or the call fails.
    ///   - offset: The offset in the file, in bytes.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        SQLResultCode(
            rawValue: file.pointee.pMethods.pointee.xWrite(
                file, bytes.baseAddress, Int32(clamping: bytes.count), offset))
    }

    /// Truncates the file to a size in bytes. `xTruncate`
    public func truncate(to size: Int64) -> SQLResultCode {
        SQLResultCode(rawValue: file.pointee.pMethods.pointee.xTruncate(file, size))
    }

    /// Flushes the file and its directory entry to disk. `xSync`
    public func sync() -> SQLResultCode {
        SQLResultCode(rawValue: file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_FULL))
    }
}
