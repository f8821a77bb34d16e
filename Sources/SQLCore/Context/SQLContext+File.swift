internal import CSQLite
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
    /// alone: it is not a database any more, and no empty one either. `xWrite`
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

extension SQLContext {
    /// Checks the files beside a database that is not opened yet: its rollback journal, WAL and
    /// wal-index.
    ///
    /// - Parameter database: its full path, without symbolic links.
    ///
    /// Throws `SQLFileRefusal` if one is a link or not a regular file, or if the rollback journal
    /// names a super-journal in another directory.
    package static func requireOwnFiles(of database: String) throws {
        try FileGuard.requireOwnFiles(of: database)
    }
}

extension SQLContext {
    /// A path as SQLite's URI, with parameters as they stand behind `?`.
    package static func uri(path: String, parameters: String) -> String {
        "file:\(escaped(path))?\(parameters)"
    }

    /// A path as part of a URI: everything but letters, digits and `/-._~` as `%xx`.
    private static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { uri, byte in
            let letter = Character(Unicode.Scalar(byte))
            if letter.isASCII, letter.isLetter || letter.isNumber || "/-._~".contains(letter) {
                uri.append(letter)
            } else {
                uri += "%" + Hexadecimal.encoded([byte])
            }
        }
    }
}

extension SQLContext {
    /// Adds another database file to this connection. `ATTACH`
    ///
    /// - Parameters:
    ///   - path: the file, made if there is none; nil for a database in memory.
    ///   - name: what its tables are called by: `name.table`.
    public func attach(path: String?, as name: String) throws {
        guard !(path ?? "").utf8.contains(0) else {
            throw SQLError(code: .cannotOpen, message: "the path has a NUL byte")
        }
        try exec(
            sql: "ATTACH ? AS ?", parameters: [.text(path ?? ":memory:"), .text(name)])
    }

    /// Takes a database away that was attached. `DETACH`
    ///
    /// Throws `SQLError` while a transaction or statement uses it.
    public func detach(_ name: String) throws {
        try exec(sql: "DETACH ?", parameters: [.text(name)])
    }
}

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
