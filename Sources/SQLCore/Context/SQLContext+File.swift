import CSQLite

extension SQLContext {
    /// The first bytes of the database file, fewer if it is shorter, without any lock.
    /// `SQLITE_FCNTL_FILE_POINTER`, `xRead`
    ///
    /// SQLite's own descriptor is used. Opening the file once more and closing it would drop every
    /// POSIX lock that this process has on it, those of other connections too.
    package func fileHeader(count: Int) throws -> [UInt8] {
        let handle = try connection.requireHandle()
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(
            handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let file = pointer, let methods = file.pointee.pMethods,
            let size = methods.pointee.xFileSize, let read = methods.pointee.xRead
        else { throw SQLError(handle: handle, code: code == SQLITE_OK ? SQLITE_IOERR : code) }
        var length: sqlite3_int64 = 0
        guard size(file, &length) == SQLITE_OK else {
            throw SQLError(code: .inputOutput, message: "the file's size cannot be read")
        }
        var bytes = [UInt8](repeating: 0, count: Int(Swift.min(length, sqlite3_int64(count))))
        let result = read(file, &bytes, Int32(bytes.count), 0)
        guard bytes.isEmpty || result == SQLITE_OK else {
            throw SQLError(
                code: SQLResultCode(rawValue: result), message: "the file cannot be read")
        }
        return bytes
    }
}
