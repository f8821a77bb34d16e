import CSQLite
internal import StorePlatform

// For a file that may be damaged: nothing here makes SQLite read it.
extension SQLContext {
    /// The length of the database file in bytes. `xFileSize`
    package func fileLength() throws -> Int {
        let file = try mainFile()
        var length: sqlite3_int64 = 0
        guard let size = file.pointee.pMethods?.pointee.xFileSize,
            size(file, &length) == SQLITE_OK
        else { throw SQLError(code: .inputOutput, message: "the file's size cannot be read") }
        return Int(length)
    }

    /// Fills `buffer` with bytes of the database file, without any lock; zeros after its end.
    /// `xRead`
    ///
    /// SQLite's own descriptor is used. Opening the file once more and closing it would drop every
    /// POSIX lock that this process has on it, those of other connections too.
    package func readFile(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        let file = try mainFile()
        guard let read = file.pointee.pMethods?.pointee.xRead else {
            throw SQLError(code: .inputOutput, message: "the file cannot be read")
        }
        let code = SQLResultCode(
            rawValue: read(
                file, buffer.baseAddress, Int32(clamping: buffer.count), sqlite3_int64(offset)))
        guard code == .ok || code == .shortRead else {
            throw SQLError(
                code: code, message: "the file cannot be read",
                cause: SQLFile.takeFailure(try connection.requireHandle(), code.rawValue))
        }
    }

    /// The first bytes of the database file, fewer if it is shorter, without any lock.
    package func fileHeader(count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Swift.min(try fileLength(), count))
        if !bytes.isEmpty { try bytes.withUnsafeMutableBytes { try readFile(at: 0, into: $0) } }
        return bytes
    }

    /// Writes zeros over the first page of the database file, which this connection has locked
    /// alone: it is no database any more, and no empty one either. `xWrite`
    package func spoilFile() throws {
        let file = try mainFile()
        let zeros = [UInt8](repeating: 0, count: 65_536)
        let count = Swift.min(try fileLength(), zeros.count)
        guard let write = file.pointee.pMethods?.pointee.xWrite else { return }
        let code = zeros.withUnsafeBytes { write(file, $0.baseAddress, Int32(count), 0) }
        guard code == SQLITE_OK else {
            throw SQLError(
                code: SQLResultCode(rawValue: code), message: "the file cannot be written")
        }
    }

    /// Locks the database file for this connection alone, without reading it, until the
    /// connection is closed. `xLock`
    ///
    /// Throws `.busy` while another connection holds any lock on it: whoever has a file with a log
    /// open does.
    package func lockFileAlone(waitMilliseconds: Int) throws {
        let file = try mainFile()
        guard let lock = file.pointee.pMethods?.pointee.xLock else {
            throw SQLError(code: .inputOutput, message: "the file cannot be locked")
        }
        var waited = 0
        for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_RESERVED, SQLITE_LOCK_EXCLUSIVE] {
            while true {
                let code = SQLResultCode(rawValue: lock(file, level))
                if code == .ok { break }
                guard .busy ~= code, waited < waitMilliseconds else {
                    _ = file.pointee.pMethods?.pointee.xUnlock(file, SQLITE_LOCK_NONE)
                    throw SQLError(code: code, message: "the file is in use")
                }
                pause(milliseconds: 1)
                waited += 1
            }
        }
    }

    /// `SQLITE_FCNTL_FILE_POINTER`
    private func mainFile() throws -> UnsafeMutablePointer<sqlite3_file> {
        let handle = try connection.requireHandle()
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let pointer else {
            throw SQLError(handle: handle, code: code == SQLITE_OK ? SQLITE_IOERR : code)
        }
        return pointer
    }
}
