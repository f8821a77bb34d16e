internal import QueryFunctions
package import SQLCore
internal import StoreFormat

/// The directory of a database, and the SQLite file in it.
package struct BundlePath {
    /// The directory, absolute and without a trailing slash: a relative path would change its
    /// meaning with the working directory, and could be taken for a URI.
    package let directory: String
    /// The SQLite file. Stored, since each transaction that writes checks that it is the same file.
    package let database: String
    /// The same file by a path without links, for SQLite: the directory may be a link, the file
    /// must not be one.
    package var databaseFile: String { FileSystem.resolved(directory) + Self.fileName }
    /// The WAL.
    package var wal: String { databaseFile + "-wal" }
    /// The rollback journal of a writer that does not use WAL mode.
    package var journal: String { databaseFile + "-journal" }
    /// The directory of the WAL.
    var walDirectory: String { FileSystem.resolved(directory) }
    /// The wal-index, which all processes share.
    var walIndex: String { databaseFile + "-shm" }

    /// The extension of the directory's name by convention.
    static let suffix = ".cblite2"
    private static let fileName = "/db.sqlite3"

    package init(_ path: String) {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        var directory = isAbsolute ? path : FileSystem.currentDirectory + path
        while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        self.directory = directory
        database = directory + Self.fileName
    }

    /// Checks that there is a file to open, or one that was created but never filled.
    ///
    /// Throws an error that describes what exists instead.
    func requireDatabase(orEmpty: @autoclosure () throws -> Bool = false) throws {
        switch FileSystem.kind(directory) {
        case .directory: try requireSearchableDirectory()
        case .nothing: throw StoreError(.notFound, "\(directory) does not exist")
        case .file, .other: throw notADirectory()
        }
        try requireOwnFiles()
        guard FileSystem.entry(database) == .file else {
            throw StoreError(
                .notFound,
                "\(directory) is not a database: there is no db.sqlite3 in it")
        }
        guard FileSystem.isReadable(database) else {
            throw StoreError(.cannotOpenFile, "no permission to read \(database)")
        }
        guard try FileSystem.size(database) > 0 || FileSystem.size(wal) > 0 || orEmpty() else {
            throw StoreError(
                .notADatabaseFile,
                "\(database) is empty; restore it from a backup, or, if its creation was "
                    + "interrupted, create it again or remove it")
        }
    }

    /// Checks that SQLite will not follow a link, block on a FIFO, or delete an unrelated file: the
    /// database and the files next to it are regular files, and a rollback journal does not name a
    /// super-journal elsewhere.
    ///
    /// Throws `.cannotOpenFile`; returns if there is no database.
    func requireOwnFiles() throws {
        switch FileSystem.entry(database) {
        case .nothing, .file, .directory: break
        case .link:
            throw StoreError(.cannotOpenFile, BundlePath.linkMessage(database, directory))
        case .other:
            throw StoreError(
                .cannotOpenFile,
                "\(database) is not a file, but a FIFO or device; restore it from a backup")
        }
        do {
            try SQLContext.requireOwnFiles(of: databaseFile)
        } catch let refusal as SQLFileRefusal {
            throw StoreError(.cannotOpenFile, "\(refusal)", underlying: refusal)
        }
    }

    /// The message for a link at the path of the SQLite file.
    static func linkMessage(_ database: String, _ directory: String) -> String {
        let file = FileSystem.resolved(database)
        let target = file.hasSuffix(fileName) ? String(file.dropLast(fileName.count)) : nil
        let hint =
            target.flatMap { $0 == FileSystem.resolved(directory) ? nil : $0 }
            .map { "open the directory that it leads to, \($0)" } ?? "put the file itself there"
        return "\(database) is a symbolic link, which is not followed, since a directory of "
            + "another user could lead to your database by it; \(hint). The directory itself "
            + "may be a link"
    }

    private func requireSearchableDirectory() throws {
        guard FileSystem.isSearchable(directory) else {
            throw StoreError(.cannotOpenFile, "no permission to read the directory \(directory)")
        }
    }

    /// Checks that the file and, for its WAL, the directory are writable: otherwise SQLite would
    /// open the file read-only, and leave a WAL of another user next to it.
    func requireWritable() throws {
        for path in [database, walDirectory] where !FileSystem.isWritable(path) {
            throw StoreError(
                .notWriteable, "\(directory) cannot be written: no permission to write \(path)")
        }
    }

    private func notADirectory() -> StoreError {
        let hint =
            directory.hasSuffix(Self.fileName)
            ? "specify the directory it is in: \(directory.dropLast(Self.fileName.count))"
            : "a database is a directory NAME\(Self.suffix) with a file db.sqlite3 in it"
        return StoreError(.notADatabaseFile, "\(directory) is a file; \(hint)")
    }

    /// Checks the first bytes of the file, up to 4,096.
    ///
    /// There are none if the file's contents are still only in the WAL.
    func requireHeader(_ start: [UInt8]) throws {
        if start.isEmpty || start.starts(with: "SQLite format 3\0".utf8) { return }
        if Self.looksEncrypted(start) {
            throw StoreError(
                .notADatabaseFile, "\(database) is encrypted; open it with its key",
                underlying: EncryptionError.keyRequired)
        }
        throw StoreError(
            .notADatabaseFile,
            "\(database) is damaged or is not an SQLite database: its header is invalid; restore "
                + "it from a backup, or recover it"
        )
    }

    /// Encrypted pages have no structure: the first one has nearly all of the 256 byte values.
    package static func looksEncrypted(_ start: [UInt8]) -> Bool {
        start.count >= 1024 && start.count % 512 == 0 && Set(start).count > 200
    }
}

extension BundlePath {
    /// Opens a connection to the SQLite file, without following a link; with `.uri` one that takes
    /// no locks and ignores the WAL.
    package func connect(
        _ flags: SQLOpenFlags, _ configuration: SQLiteConfiguration = .platform
    ) throws -> SQLContext {
        let context = try SQLContext(
            path: flags.contains(.uri)
                ? SQLContext.uri(path: databaseFile, parameters: "immutable=1") : databaseFile,
            flags: flags.union([.noMutex, .noFollow]), configuration: configuration)
        try SchemaFunctions.register(in: context)
        return context
    }

    /// Whether there is a rollback journal that must be rolled back before the file is read, as
    /// left by a crash. Also true during a transaction of another process.
    var hasHotJournal: Bool { (try? RollbackJournal(journal))?.isHot == true }

    /// Whether the file's header specifies WAL mode.
    static func usesWAL(_ header: [UInt8]) -> Bool {
        header.count >= 20 && (header[18] == 2 || header[19] == 2)
    }

    /// The file's first bytes, up to 4,096.
    ///
    /// Empty for an encrypted file whose first page cannot be decrypted with the key, but which has
    /// a journal: rolling that back may restore another page.
    func header(_ configuration: SQLiteConfiguration) throws -> [UInt8] {
        do {
            return try connect(.readOnly, configuration).fileHeader(count: 4096)
        } catch let error as SQLError
            where error.encryption == .wrongKeyOrNotADatabase && FileSystem.size(journal) > 0
        {
            return []
        }
    }

    /// Creates the directory if it does not exist; returns whether it did.
    ///
    /// Throws if the path is neither a database nor an empty directory, or if the new directory
    /// would be inside the directory of a database.
    func createDirectory() throws -> Bool {
        if FileSystem.entry(database) == .nothing { try requireOutsideOfDatabases() }
        switch FileSystem.kind(directory) {
        case .nothing:
            guard FileSystem.createDirectory(directory) else {
                let reason = FileSystem.lastError
                // Another process may have created it first.
                if FileSystem.kind(directory) == .directory { return false }
                throw StoreError(
                    .cannotOpenFile, "the directory \(directory) cannot be created: \(reason)")
            }
            return true
        case .directory:
            try requireSearchableDirectory()
            // Checked twice: another process may be creating it right now.
            guard
                FileSystem.entry(database) != .nothing || FileSystem.isEmptyDirectory(directory)
                    || FileSystem.entry(database) != .nothing
            else {
                throw StoreError(
                    .cannotOpenFile,
                    "\(directory) contains other files; choose another path for the new database")
            }
            return false
        case .file, .other:
            throw notADirectory()
        }
    }
}
