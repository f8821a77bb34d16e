internal import CSQLite
internal import StorePlatform

// Access to a file that may be damaged, without a read by SQLite.
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

    /// Fills `buffer` with bytes of the database file, without a lock; zeros past its end. `xRead`
    ///
    /// It uses SQLite's file descriptor: to open and close the file once more would release all
    /// POSIX locks of this process on it, including those of other connections.
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

    /// Returns the first bytes of the database file, fewer if it is shorter, without a lock.
    package func fileHeader(count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Swift.min(try fileLength(), count))
        if !bytes.isEmpty { try bytes.withUnsafeMutableBytes { try readFile(at: 0, into: $0) } }
        return bytes
    }

    /// Overwrites the first page of the database file with zeros, so that it is not a database any
    /// more, not even an empty one. The connection must hold an exclusive lock. `xWrite`
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

    /// Takes an exclusive lock on the database file without reading it, until the connection is
    /// closed. `xLock`
    ///
    /// Throws `.busy` while another connection holds any lock, as every open connection in WAL mode
    /// does.
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
    /// Checks the rollback journal, WAL and wal-index of a database that is not open yet.
    ///
    /// - Parameter database: The full path, without symbolic links.
    ///
    /// Throws `SQLFileRefusal` if one of them is a symbolic link or not a regular file, or if the
    /// rollback journal names a super-journal in another directory.
    package static func requireOwnFiles(of database: String) throws {
        try FileGuard.requireOwnFiles(of: database)
    }
}

extension SQLContext {
    /// Returns a path as a URI for SQLite, with the parameters after `?`.
    package static func uri(path: String, parameters: String) -> String {
        "file:\(escaped(path))?\(parameters)"
    }

    /// Escapes a path for a URI: all bytes except letters, digits and `/-._~` become `%xx`.
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
    /// Attaches another database file to this connection. `ATTACH`
    ///
    /// A transaction can span several databases. In WAL mode it is atomic in each file, but after a
    /// power failure it may be committed in one file and not in another. SQLite permits 10 attached
    /// databases by default.
    ///
    /// ```swift
    /// try database.attach(path: "archive.db", as: "archive")
    /// try database.transaction(.immediate) {
    ///     try database.exec(sql: "INSERT INTO archive.mail SELECT * FROM mail WHERE old")
    ///     try database.exec(sql: "DELETE FROM mail WHERE old")
    /// }
    /// try database.detach("archive")
    /// ```
    /// For an encrypted database, use `attach(path:as:key:)` of SQLPlus.
    ///
    /// - Parameters:
    ///   - path: The file, which is created if it does not exist; nil for an in-memory database.
    ///   - name: The schema name, which qualifies its tables: `name.table`.
    /// - Throws: ``SQLError``: `.cannotOpen` if the file cannot be opened, `.error` if the name is
    ///   in use already.
    public func attach(path: String?, as name: String) throws {
        guard !(path ?? "").hasNUL else {
            throw SQLError(code: .cannotOpen, message: "the path has a NUL byte")
        }
        try exec(
            sql: "ATTACH ? AS ?", parameters: [.text(path ?? ":memory:"), .text(name)])
    }

    /// Detaches an attached database. `DETACH`
    ///
    /// Throws `SQLError` while a transaction or statement uses it.
    ///
    /// - Parameter name: The schema name that ``attach(path:as:)`` was called with; `main` and
    ///   `temp` cannot be detached.
    public func detach(_ name: String) throws {
        try exec(sql: "DETACH ?", parameters: [.text(name)])
    }
}

extension SQLContext {
    /// Sends a file-control request to the file of a database. `sqlite3_file_control`
    ///
    /// A ``SQLFile`` receives the request in ``SQLFile/control(_:_:)``.
    ///
    /// ```swift
    /// var size: Int32 = 1 << 20
    /// try database.request(6, &size)  // SQLITE_FCNTL_CHUNK_SIZE: grow the file by megabytes
    /// ```
    ///
    /// - Parameters:
    ///   - request: The number of the request; those of custom VFSs are above 100.
    ///   - argument: The argument, whose type depends on the request.
    ///   - schema: The schema name of the database.
    /// - Returns: Whether the file knows the request.
    /// - Throws: ``SQLError`` with the code that the file returned.
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

    /// Reserves bytes at the end of each page of a new database, or of the copy that `VACUUM INTO`
    /// writes; existing pages are unchanged. `SQLITE_FCNTL_RESERVE_BYTES`
    ///
    /// VFSs that encrypt or checksum pages store their data in this space. SQLite permits up to 255
    /// bytes; the usable part of a page must have at least 480 bytes.
    ///
    /// - Parameters:
    ///   - bytes: The number of bytes in each page.
    ///   - schema: The schema name of the database (default: `main`).
    public func reserve(bytes: Int, in schema: String = "main") throws {
        var count = Int32(clamping: bytes)
        _ = try withUnsafeMutablePointer(to: &count) {
            try request(SQLITE_FCNTL_RESERVE_BYTES, $0, of: schema)
        }
    }

    /// Returns the name of the VFS with which a database was opened. `SQLITE_FCNTL_VFS_POINTER`
    ///
    /// It shows whether a custom ``SQLVFS`` has opened the database.
    ///
    /// - Parameter schema: The schema name of the database (default: `main`).
    /// - Returns: The name, such as `unix`; nil if there is no such database.
    public func vfsName(of schema: String = "main") throws -> String? {
        var vfs: UnsafeMutablePointer<sqlite3_vfs>?
        let isKnown = try withUnsafeMutablePointer(to: &vfs) {
            try request(SQLITE_FCNTL_VFS_POINTER, $0, of: schema)
        }
        guard isKnown, let name = vfs.map(GuardedVFS.unguarded)?.pointee.zName else { return nil }
        return String(cString: name)
    }

    /// Returns the path of an open database, or nil if it is in memory. `sqlite3_db_filename`
    ///
    /// ```swift
    /// let location = try database.path().map { URL(filePath: $0) }
    /// let directory = location?.deletingLastPathComponent()
    /// ```
    ///
    /// - Parameter schema: The schema name of the database (default: `main`).
    /// - Returns: The full path. Nil also for a temporary database, and for an unknown schema.
    public func path(of schema: String = "main") throws -> String? {
        let handle = try connection.requireHandle()
        guard let name = sqlite3_db_filename(handle, schema) else { return nil }
        let path = String(cString: name)
        return path.isEmpty ? nil : path
    }
}
