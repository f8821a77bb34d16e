internal import FleeceLite
internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

// What is known about the schema and the settings of the file, read once for each token.
extension Connection {
    /// The existing tables and indexes.
    func schemaNames() throws -> SchemaNames {
        if let known = namesCache.value(schemaToken) { return known }
        let read = try SchemaNames(context)
        namesCache.keep(read, schemaToken)
        return read
    }

    /// The caches of queries.
    package var queries: ConnectionQueries {
        if let known = queriesCache.value(schemaToken) { return known }
        let new = ConnectionQueries()
        queriesCache.keep(new, schemaToken)
        return new
    }

    /// Values of the raw store `info` that are read often.
    struct Settings {
        /// How the file stores revisions, once looked up.
        var versioning: Versioning?
        /// How many revisions of a branch the file retains, once looked up.
        var treeDepth: Int?
    }

    /// The settings, as far as they have been looked up. Who writes them, sets them here.
    var settings: Settings {
        get { settingsCache.value(rowsToken) ?? Settings() }
        set { settingsCache.keep(newValue, rowsToken) }
    }

    /// Makes the settings be looked up again, after any record of the raw store `info` was written.
    package func noteWrittenInfo() { settings = Settings() }

    /// Allows the triggers of full-text indexes to write to their tables, if there are any.
    ///
    /// SQLite 3.40 does not allow the schema of an untrusted file to use FTS4. The protection is
    /// dropped only where FTS4 tables exist; `load_extension` stays off, and all functions of this
    /// project are harmless.
    func letTriggersWrite() throws {
        guard schemaOfTriggers != schemaToken else { return }
        let isNeeded = try context.selectValue(sql: SchemaSQL.hasFullTextTables) != nil
        try context.exec(sql: "PRAGMA trusted_schema=\(isNeeded ? "on" : "off")")
        schemaOfTriggers = schemaToken
    }
}

extension FunctionContext {
    /// Registers the SQL functions that the schema of a file can call.
    ///
    /// - Returns: their state, which must be retained as long as the connection is used.
    static func registered(
        in context: SQLContext, _ failures: PredictionFailures, path: String
    ) throws -> FunctionContext {
        let functions = try FunctionContext(sharedKeys: SharedKeys())
        try SQLFunctions.register(in: context, functions, failures)
        functions.loadKeys = { [unowned context] in
            try? SharedKeys(storedIn: context, path: path)
        }
        return functions
    }

    /// Registers the functions for statements outside of snapshots, with the file's shared keys.
    static func forMaintenance(of context: SQLContext, path: String) throws -> FunctionContext {
        let failures = PredictionFailures()
        failures.isStrict = true
        let functions = try registered(in: context, failures, path: path)
        try functions.useStoredKeys(in: context, path: path)
        return functions
    }

    /// Uses the keys that the file has now; for statements outside of snapshots, before each of
    /// which they are loaded again.
    ///
    /// Throws if the keys cannot be read.
    func useStoredKeys(in context: SQLContext, path: String) throws {
        use(try SharedKeys(storedIn: context, path: path))
        forgetKeys()
    }
}

extension SharedKeys {
    /// The file's current shared keys; empty if the file has no record of them.
    fileprivate init(storedIn context: SQLContext, path: String) throws {
        let bytes = try context.first(SchemaSQL.getInfo, [.text(InfoKey.sharedKeys)]) {
            $0.byteArray(at: 0)
        }
        try self.init(stored: (bytes ?? nil) ?? [], path: path)
    }

    init(stored bytes: [UInt8], path: String) throws(StoreError) {
        do {
            try self.init(stored: bytes)
        } catch {
            throw StoreError(
                .corruptData, "the shared keys of \(path) are damaged: \(error)",
                underlying: error)
        }
    }
}
