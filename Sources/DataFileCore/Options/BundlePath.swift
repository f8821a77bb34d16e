internal import QueryFunctions
package import SQLCore
internal import StoreFormat

/// The directory that a database is, and the SQLite file in it.
package struct BundlePath {
    /// The directory, absolute and without a slash at the end: a relative path would be another one
    /// after a change of the working directory, and could be taken for a URI.
    package let directory: String
    /// The SQLite file.
    package var database: String { directory + Self.fileName }
    /// The same file by a path without links, as SQLite is given it: the directory may be a link, the
    /// file in it may not.
    package var databaseFile: String { FileSystem.resolved(directory) + Self.fileName }
    /// The log of a writer.
    package var wal: String { databaseFile + "-wal" }
    /// The rollback journal of a writer without a log.
    package var journal: String { databaseFile + "-journal" }
    /// The directory that they are in.
    var walDirectory: String { FileSystem.resolved(directory) }
    /// The index of that log, which all processes share.
    var walIndex: String { databaseFile + "-shm" }

    /// The ending that the directory's name has by convention.
    static let suffix = ".cblite2"
    private static let fileName = "/db.sqlite3"

    package init(_ path: String) {
        var directory = path.utf8.first == UInt8(ascii: "/") ? path : FileSystem.currentDirectory + path
        while directory.count > 1, directory.hasSuffix("/") { directory.removeLast() }
        self.directory = directory
    }

    /// Checks that there is a file to open, or one that was made and never filled.
    ///
    /// Throws an error that says what is there instead.
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
                "\(directory) is no database: there is no file db.sqlite3 in it")
        }
        guard FileSystem.isReadable(database) else {
            throw StoreError(.cannotOpenFile, "no permission to read \(database)")
        }
        guard try FileSystem.size(database) > 0 || FileSystem.size(wal) > 0 || orEmpty() else {
            throw StoreError(
                .notADatabaseFile,
                "\(database) is empty; restore it from a backup, or, if making it was interrupted, "
                    + "make it once more or remove it")
        }
    }

    /// Checks that SQLite will neither follow a link nor wait at a FIFO, nor delete a file of
    /// somebody else's: that the database and what is beside it are files, and that a rollback
    /// journal names no super-journal elsewhere.
    ///
    /// Throws `.cannotOpenFile`; nothing if there is no database.
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

    /// What is said of a link in the place of the SQLite file.
    static func linkMessage(_ database: String, _ directory: String) -> String {
        let file = FileSystem.resolved(database)
        let target = file.hasSuffix(fileName) ? String(file.dropLast(fileName.count)) : nil
        let hint =
            target.flatMap { $0 == FileSystem.resolved(directory) ? nil : $0 }
            .map { "open the directory that it leads to, \($0)" } ?? "put the file itself there"
        return "\(database) is a symbolic link, which is not followed, since a stranger's directory "
            + "can lead to a database of yours by it; \(hint). The directory itself may be a link"
    }

    private func requireSearchableDirectory() throws {
        guard FileSystem.isSearchable(directory) else {
            throw StoreError(.cannotOpenFile, "no permission to read the directory \(directory)")
        }
    }

    /// Checks that the file and, for its log, the directory can be written: SQLite would open the
    /// file for reading, and leave a log of another user's beside it.
    func requireWritable() throws {
        for path in [database, walDirectory] where !FileSystem.isWritable(path) {
            throw StoreError(
                .notWriteable, "\(directory) cannot be written: no permission to write \(path)")
        }
    }

    private func notADirectory() -> StoreError {
        let hint =
            directory.hasSuffix(Self.fileName)
            ? "give the directory it is in: \(directory.dropLast(Self.fileName.count))"
            : "a database is a directory NAME\(Self.suffix) with a file db.sqlite3 in it"
        return StoreError(.notADatabaseFile, "\(directory) is a file; \(hint)")
    }

    /// Checks the first bytes of the file, up to 4,096.
    ///
    /// None are there of a file that its writer has not yet moved out of the log.
    func requireHeader(_ start: [UInt8]) throws {
        if start.isEmpty || start.starts(with: "SQLite format 3\0".utf8) { return }
        if Self.looksEncrypted(start) {
            throw StoreError(
                .notADatabaseFile, "\(database) is encrypted; open it with its key",
                underlying: EncryptionError.keyRequired)
        }
        throw StoreError(
            .notADatabaseFile,
            "\(database) is not a SQLite database; restore it from a backup, or give another directory"
        )
    }

    /// Encrypted pages have no structure: nearly all of the 256 byte values are in the first one.
    package static func looksEncrypted(_ start: [UInt8]) -> Bool {
        start.count >= 1024 && start.count % 512 == 0 && Set(start).count > 200
    }
}

extension BundlePath {
    /// A connection to the SQLite file, in whose place no link is followed; with `.uri` one that
    /// takes no locks and looks for no log.
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

    /// Whether a crash has left a rollback journal that must be played back before the file is
    /// read. It is also said of the journal of a transaction that is under way.
    var hasHotJournal: Bool { (try? RollbackJournal(journal))?.isHot == true }

    /// Whether the file's header says that it is written through a log.
    static func usesWAL(_ header: [UInt8]) -> Bool {
        header.count >= 20 && (header[18] == 2 || header[19] == 2)
    }

    /// The file's first bytes, up to 4,096.
    ///
    /// None of an encrypted file whose first page does not belong to the key, but has a journal:
    /// playing that back may put another one in its place.
    func header(_ configuration: SQLiteConfiguration) throws -> [UInt8] {
        do {
            return try connect(.readOnly, configuration).fileHeader(count: 4096)
        } catch let error as SQLError
            where error.encryption == .wrongKeyOrNotADatabase && FileSystem.size(journal) > 0
        {
            return []
        }
    }

    /// Makes the directory if it is missing; returns whether it did.
    ///
    /// Throws if something else than a database or an empty directory is there, or if the new one
    /// would be in the directory of a database.
    func createDirectory() throws -> Bool {
        if FileSystem.entry(database) == .nothing { try requireOutsideOfDatabases() }
        switch FileSystem.kind(directory) {
        case .nothing:
            guard FileSystem.createDirectory(directory) else {
                let reason = FileSystem.lastError
                // Another process may have come first.
                if FileSystem.kind(directory) == .directory { return false }
                throw StoreError(
                    .cannotOpenFile, "the directory \(directory) cannot be made: \(reason)")
            }
            return true
        case .directory:
            try requireSearchableDirectory()
            // Looked for twice: another process may be making it at this moment.
            guard
                FileSystem.entry(database) != .nothing || FileSystem.isEmptyDirectory(directory)
                    || FileSystem.entry(database) != .nothing
            else {
                throw StoreError(
                    .cannotOpenFile,
                    "\(directory) holds other files; choose another place for the new database")
            }
            return false
        case .file, .other:
            throw notADirectory()
        }
    }
}
