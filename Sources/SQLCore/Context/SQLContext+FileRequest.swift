import CSQLite

extension SQLContext {
    /// Asks the file of a database for something of its file system's own; false if it knows
    /// nothing of it. `sqlite3_file_control`
    ///
    /// - Parameters:
    ///   - request: a number from 100 on.
    ///   - argument: what the file system wants to have with it.
    @discardableResult
    public func request(
        _ request: Int32, _ argument: UnsafeMutableRawPointer?, of schema: String = "main"
    ) throws -> Bool {
        let handle = try connection.requireHandle()
        let code = sqlite3_file_control(handle, schema, request, argument)
        guard code != SQLITE_NOTFOUND else { return false }
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
        return true
    }

    /// Asks SQLite to leave bytes free at the end of each page where it lays out a database, also
    /// the copy that `VACUUM INTO` makes; what is laid out stays. `SQLITE_FCNTL_RESERVE_BYTES`
    public func reserve(bytes: Int, in schema: String = "main") throws {
        var count = Int32(clamping: bytes)
        _ = try withUnsafeMutablePointer(to: &count) {
            try request(SQLITE_FCNTL_RESERVE_BYTES, $0, of: schema)
        }
    }

    /// The name of the file system that a database was opened with. `SQLITE_FCNTL_VFS_POINTER`
    public func vfsName(of schema: String = "main") throws -> String? {
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        let isKnown = try withUnsafeMutablePointer(to: &vfs) {
            try request(SQLITE_FCNTL_VFS_POINTER, $0, of: schema)
        }
        guard isKnown, let name = vfs.map(GuardedVFS.unguarded)?.pointee.zName else { return nil }
        return String(cString: name)
    }

    /// The path of an open database; nil for one in memory. `sqlite3_db_filename`
    public func path(of schema: String = "main") throws -> String? {
        let handle = try connection.requireHandle()
        guard let name = sqlite3_db_filename(handle, schema) else { return nil }
        let path = String(cString: name)
        return path.isEmpty ? nil : path
    }
}
