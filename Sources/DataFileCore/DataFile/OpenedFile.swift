internal import SQLCore

/// What opening a file finds out.
struct OpenedFile {
    let schemaVersion: Int
    let writer: Session?
    let readPlan: ConnectionPlan
    var isImmutable: Bool { if case .immutable = readPlan { true } else { false } }

    init(_ path: BundlePath, _ options: DataFileOptions) throws {
        guard options.access != .readOnly else {
            (schemaVersion, readPlan) = try Self.openForReading(path, options)
            writer = nil
            return
        }
        let isNewFolder = options.access == .create ? try path.makeFolder() : false
        do {
            if FileSystem.kind(path.database) != .nothing || options.access != .create {
                try path.requireDatabase(orEmpty: options.access == .create)
                try path.requireWritable()
            }
            let context = try ConnectionPlan.readWrite.open(path, options)
            if options.access == .create { try NewFile.create(in: context) }
            try ConnectionPlan.readWrite.configure(context)
            schemaVersion = try Self.checkedSchemaVersion(context, path)
            writer = Session(context: context, path: path.folder)
            readPlan = .readOnly
        } catch {
            if isNewFolder { FileSystem.removeEmptyFolder(path.folder) }
            throw error
        }
    }

    /// Opens once to see that reading works, and how.
    private static func openForReading(
        _ path: BundlePath, _ options: DataFileOptions
    ) throws -> (Int, ConnectionPlan) {
        try path.requireDatabase()
        let plan = try ConnectionPlan.forReading(path)
        do {
            return (try probe(plan, path, options), plan)
        } catch let error as SQLError where plan.mayNeedFallback(error.code, path) {
            return (try probe(.immutable, path, options), .immutable)
        }
    }

    private static func probe(
        _ plan: ConnectionPlan, _ path: BundlePath, _ options: DataFileOptions
    ) throws -> Int {
        let context = try plan.open(path, options)
        try plan.configure(context)
        return try checkedSchemaVersion(context, path)
    }

    private static func checkedSchemaVersion(
        _ context: SQLContext, _ path: BundlePath
    ) throws -> Int {
        let hasMeta = try context.selectValue(
            sql: SchemaSQL.tableExists, parameters: [.text("kvmeta")])
        let version = try Int(context.pragma("user_version")?.longValue ?? 0)
        guard hasMeta != nil else {
            throw StoreError(
                .wrongFormat,
                "\(path.database) is a SQLite database but not a document store: "
                    + "it has no table kvmeta; open it with what made it")
        }
        guard version >= SchemaSQL.oldestReadable else {
            throw StoreError(
                .databaseTooOld,
                "\(path.folder) has schema \(version), of Couchbase Lite 1 or unfinished; "
                    + "\(SchemaSQL.oldestReadable) is the oldest that can be read")
        }
        guard version <= SchemaSQL.newestReadable else {
            throw StoreError(
                .databaseTooNew,
                "\(path.folder) has schema \(version), made by a newer version; "
                    + "\(SchemaSQL.newestReadable) is the newest that can be read")
        }
        return version
    }
}

extension ConnectionPlan {
    /// Whether a failure to read is one of the log, so that the file alone may be readable.
    func mayNeedFallback(_ code: SQLResultCode, _ path: BundlePath) -> Bool {
        guard case .readOnly = self, (try? path.usesLog()) == true else { return false }
        return SQLResultCode.cannotOpen ~= code || SQLResultCode.readOnly ~= code
    }
}
