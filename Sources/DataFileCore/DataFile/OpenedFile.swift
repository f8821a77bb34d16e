internal import SQLCore
internal import StoreFormat

/// The result of opening a file.
struct OpenedFile {
    let schemaVersion: Int
    /// The writing connection; the first reading connection if the file is opened read-only.
    let first: SQLContext
    let readPlan: ConnectionPlan
    var isImmutable: Bool { if case .immutable = readPlan { true } else { false } }

    init(_ path: BundlePath, _ options: DataFileOptions) throws {
        guard options.access != .readOnly else {
            (schemaVersion, first, readPlan) = try Self.openForReading(path, options)
            return
        }
        let isNewDirectory = options.access == .create ? try path.createDirectory() : false
        do {
            (schemaVersion, first) = try Self.openForWriting(path, options)
            // SQLite syncs the directory of its file, but not the parent of that directory.
            if isNewDirectory { try FileSystem.syncDirectory(path.parent) }
            readPlan = .readOnly
        } catch {
            if isNewDirectory { FileSystem.removeEmptyDirectory(path.directory) }
            throw error
        }
    }

    /// Opens an in-memory database.
    static func inMemory(_ options: DataFileOptions) throws -> SQLContext {
        let context = try SQLContext(path: nil as String?, configuration: options.configuration)
        try NewFile.create(
            in: context, pageSize: options.pageSize, versioning: options.versioning)
        try ConnectionPlan.readWrite.configure(context, options)
        return context
    }

    private static func openForWriting(
        _ path: BundlePath, _ options: DataFileOptions
    ) throws -> (Int, SQLContext) {
        let creates = options.access == .create
        if FileSystem.entry(path.database) != .nothing || !creates {
            try path.requireDatabase(orEmpty: creates || holdsNothingElse(path))
            try path.requireWritable()
        }
        let context = try ConnectionPlan.readWrite.open(path, options)
        do {
            if try creates || isUnfinished(context, path) {
                try NewFile.create(
                    in: context, pageSize: options.pageSize, versioning: options.versioning)
            }
            try ConnectionPlan.readWrite.configure(context, options)
            let version = try checkedSchemaVersion(context, path.directory)
            try UnfinishedEncryption.removeLeftovers(
                of: path.databaseFile, context)
            return (version, context)
        } catch let error as SQLError where .notADatabase ~= error.code {
            try path.requireOldKey(error)
            try path.requireHeader(try context.fileHeader(count: 4096))
            throw error
        }
    }

    /// Opens the file once to check that it is readable, and how.
    private static func openForReading(
        _ path: BundlePath, _ options: DataFileOptions
    ) throws -> (Int, SQLContext, ConnectionPlan) {
        try path.requireDatabase()
        let header = try path.header(options.connectionConfiguration())
        try path.requireHeader(header)
        let plan = ConnectionPlan.forReading(path, header: header)
        do {
            let (version, context) = try probe(plan, path, options)
            return (version, context, plan)
        } catch let error as SQLError where plan.mayNeedFallback(error.code, header) {
            let (version, context) = try probe(.immutable, path, options)
            return (version, context, .immutable)
        } catch let error as SQLError where .notADatabase ~= error.code {
            try path.requireOldKey(error)
            throw error
        }
    }

    private static func probe(
        _ plan: ConnectionPlan, _ path: BundlePath, _ options: DataFileOptions
    ) throws -> (Int, SQLContext) {
        let context = try plan.open(path, options)
        try plan.configure(context, options)
        return (try checkedSchemaVersion(context, path.directory), context)
    }

    /// Whether the creation of the file was interrupted before it had any contents. If the
    /// directory has other files, it contained a database before.
    private static func isUnfinished(_ context: SQLContext, _ path: BundlePath) throws -> Bool {
        guard try NewFile.isEmpty(context) else { return false }
        return try holdsNothingElse(path)
    }

    /// Whether the directory contains only the SQLite file and files that belong to it.
    private static func holdsNothingElse(_ path: BundlePath) throws -> Bool {
        let names = try OpenDirectory(FileSystem.resolved(path.directory))?.names() ?? []
        return names.allSatisfy { $0.hasPrefix("db.sqlite3") }
    }

    private static func checkedSchemaVersion(
        _ context: SQLContext, _ directory: String
    ) throws -> Int {
        let hasMeta = try context.selectValue(
            sql: SchemaSQL.tableExists, parameters: [.text("kvmeta")])
        let version = try context.schemaVersion()
        guard try hasMeta != nil || !NewFile.isEmpty(context) else {
            throw StoreError(
                .wrongFormat,
                "\(directory) is empty: its creation was interrupted; write to it or create it "
                    + "again to have a database, or remove it")
        }
        guard hasMeta != nil else {
            throw StoreError(
                .wrongFormat,
                "\(directory)/db.sqlite3 is an SQLite database but not a document store: "
                    + "it has no table kvmeta; open it with the program that created it")
        }
        guard version >= SchemaSQL.oldestReadable else {
            throw StoreError(
                .databaseTooOld,
                "\(directory) has schema \(version): Couchbase Lite 1 created it, or its creation "
                    + "was interrupted; \(SchemaSQL.oldestReadable) is the oldest that can be read")
        }
        guard version <= SchemaSQL.newestReadable else {
            throw StoreError(
                .databaseTooNew,
                "\(directory) has schema \(version), written by a newer version: open it with that "
                    + "version; \(SchemaSQL.newestReadable) is the newest that can be read")
        }
        return version
    }
}

extension BundlePath {
    /// Checks that the key is not the new one of an interrupted key change.
    ///
    /// Throws `.notADatabaseFile` if there is a journal, whose pages belong to another key.
    fileprivate func requireOldKey(_ error: SQLError) throws {
        guard error.encryption == .wrongKeyOrNotADatabase, hasHotJournal else { return }
        throw StoreError(
            .notADatabaseFile,
            "\(directory): the key is wrong; a change of the key, or a write, was interrupted: "
                + "open it with the old key", underlying: error.encryption)
    }
}

extension ConnectionPlan {
    /// Whether a read error concerns the WAL, so that the file alone may be readable.
    func mayNeedFallback(_ code: SQLResultCode, _ header: [UInt8]) -> Bool {
        guard case .readOnly = self, BundlePath.usesWAL(header), code != .hotJournal else {
            return false
        }
        return SQLResultCode.cannotOpen ~= code || SQLResultCode.readOnly ~= code
    }
}
