package import FleeceLite
package import QueryFunctions
package import SQLCore
package import StoreFormat

/// A connection to the file with its caches: statements, tables, shared keys and encoder.
///
/// Used by one thread at a time, which its pool ensures.
package final class Session {
    package let context: SQLContext
    /// The bundle's path, for error messages.
    package let path: String
    /// Encodes the bodies that this connection's transactions write.
    ///
    /// Unchecked, because tracking each access at run time is expensive; a transaction refuses to
    /// write a body while it writes another.
    @exclusivity(unchecked)
    package var encoder = FleeceEncoder()
    /// The context with which the SQL functions of this connection read bodies.
    package let functions: FunctionContext
    /// What happens when a model fails, and what was left out of indexes because one failed.
    package let failures = PredictionFailures()
    /// The snapshot or transaction that is open on this connection.
    var snapshot: Snapshot?
    /// Whether the file in its present state has been checked and can be written.
    var isKnownWritable = false
    /// Whether the present schema has been checked: writing runs no triggers of other programs.
    var isKnownOwnSchema = false
    /// How the file stores revisions, once looked up.
    var versioning: Versioning?
    /// How many revisions of a branch the file retains, once looked up.
    var treeDepth: Int?
    /// Whether triggers have been allowed to write to the virtual tables of indexes.
    private var letsTriggersWrite = false
    /// Whether to accept a schema that runs code added by another program.
    package var trustsSchema = false
    /// Whether another connection has committed since this was set to false.
    var othersHaveCommitted = false
    /// Whether another connection has altered the schema since this was set to false.
    var othersHaveAltered = false
    /// Idle statements of finished enumerators, by their SQL.
    private var idle: [ExactString: SQLStatement] = [:]

    /// The existing tables and indexes, once looked up.
    private var names: SchemaNames?
    package private(set) var tables: [KeyStoreName: StoreTables] = [:]
    /// The store that was used last: usually it is also the next one.
    private var latest: StoreTables?
    /// A value that changes when another connection commits.
    private var dataVersion: Int64?
    /// A value that changes when any connection alters the schema.
    private var schemaCookie: Int64?
    private var sharedKeys = SharedKeys()
    private var sharedKeysState: [UInt8] = []
    /// The damage of the file's shared keys. With damaged keys, everything except bodies is
    /// readable.
    private(set) var sharedKeysDamage: StoreError?
    private var statements: TransactionStatements?
    /// The caches of queries, which last until the schema changes.
    package let queries = SessionQueries()

    init(context: SQLContext, path: String) throws {
        self.context = context
        self.path = path
        functions = try FunctionContext(sharedKeys: SharedKeys())
        failures.isStrict = true
        try SQLFunctions.register(in: context, functions, failures)
        functions.loadKeys = { [unowned self] in try? storedKeys() }
    }

    /// The file's current shared keys; empty if the file has no record of them.
    private func storedKeys() throws -> SharedKeys {
        let state = try context.first(SchemaSQL.getInfo, [.text(InfoKey.sharedKeys)]) {
            $0.byteArray(at: 0)
        }
        return try decodedKeys((state ?? nil) ?? [])
    }

    private func decodedKeys(_ state: [UInt8]) throws(StoreError) -> SharedKeys {
        do {
            return try SharedKeys(stored: state)
        } catch {
            throw StoreError(
                .corruptData, "the shared keys of \(path) are damaged: \(error)",
                underlying: error)
        }
    }

    /// Prepares for statements outside of snapshots: their functions load the shared keys again.
    ///
    /// Throws if the keys cannot be read, since an index built with wrong keys would be wrong.
    func prepareForMaintenance() throws {
        functions.use(try storedKeys())
        functions.forgetKeys()
    }

    /// Runs a cached statement and passes its first row to `row`. Returns nil if there is no row.
    package func first<T>(
        _ sql: String, bind: (SQLStatement) throws -> Void = { _ in },
        row: (SQLStatement) throws -> T
    ) throws -> T? {
        try context.withStatement(sql: sql) { statement in
            try bind(statement)
            return try statement.next() ? try row(statement) : nil
        }
    }

    /// Runs a cached statement to completion.
    package func run(_ sql: String, bind: (SQLStatement) throws -> Void = { _ in }) throws {
        try context.withStatement(sql: sql) { statement in
            try bind(statement)
            while try statement.next() {}
        }
    }

    /// A statement for the caller's exclusive use. Pass it to `giveBack` to have it reused.
    package func take(_ sql: String) throws -> SQLStatement {
        try idle.removeValue(forKey: ExactString(sql)) ?? context.prepare(sql: sql)
    }

    /// Accepts a statement that `take` returned, for reuse.
    package func giveBack(_ statement: SQLStatement, _ sql: String) {
        statement.reset()
        // The SQL contains names of stores, whose number is unlimited.
        if idle.count >= 32 { idle.removeAll() }
        idle[ExactString(sql)] = statement
    }
}

// Detecting changes by other connections.
extension Session {
    /// Starts the read transaction that SQLite has deferred, and drops outdated caches.
    ///
    /// If no other connection has committed since the last call, this costs one statement. It is
    /// called first in each transaction.
    func refresh() throws {
        let statements = try transactionStatements()
        let version = try statements.dataVersion.single()
        if let dataVersion, dataVersion == version { return }
        forget()
        othersHaveCommitted = true
        let cookie = try statements.schemaVersion.single()
        if cookie != schemaCookie {
            if schemaCookie != nil { othersHaveAltered = true }
            try requireOwnTables()
            forgetTables()
            letsTriggersWrite = false
            isKnownOwnSchema = false
            schemaCookie = cookie
        }
        try readSharedKeys()
        dataVersion = version
    }

    /// Drops the caches that a commit may have made outdated.
    private func forget() {
        for tables in tables.values { tables.forget() }
        dataVersion = nil
        isKnownWritable = false
        forgetInfo()
        encoder.reset()
    }

    /// Drops the values cached from the raw store `info`.
    package func forgetInfo() {
        versioning = nil
        treeDepth = nil
    }

    /// Drops everything that a transaction may have cached before it was rolled back.
    func forgetTransaction() {
        forgetSchema()
        keepSharedKeys(SharedKeys(), state: [])
        encoder.reset()
    }

    /// Drops the cached schema, which this connection has changed.
    package func forgetSchema() {
        schemaCookie = nil
        dataVersion = nil
        isKnownWritable = false
        letsTriggersWrite = false
        forgetInfo()
        forgetTables()
    }

    private func forgetTables() {
        tables = [:]
        names = nil
        latest = nil
        idle = [:]
        queries.removeAll()
    }

    /// Whether this connection has altered the schema since the last call.
    package func hasAlteredSchema() throws -> Bool {
        let cookie = try transactionStatements().schemaVersion.single()
        defer { queries.schemaCookie = cookie }
        return cookie != queries.schemaCookie
    }

    /// Drops the cached tables of one store, which this connection is creating or deleting. The
    /// cached state of other stores is not in the file yet and stays.
    func forgetSchema(of name: KeyStoreName) {
        tables[name] = nil
        names = nil
        latest = nil
        idle = [:]
        queries.removeAll()
    }

    /// Allows the triggers of full-text indexes to write to their tables, if there are any.
    ///
    /// SQLite 3.40 does not allow the schema of an untrusted file to use FTS4. The protection is
    /// dropped only where FTS4 tables exist; `load_extension` stays off, and all functions of this
    /// project are harmless.
    func letTriggersWrite() throws {
        guard !letsTriggersWrite else { return }
        let isNeeded = try context.selectValue(sql: SchemaSQL.hasFullTextTables) != nil
        try context.exec(sql: "PRAGMA trusted_schema=\(isNeeded ? "on" : "off")")
        letsTriggersWrite = true
    }

    /// Checks for virtual tables again, after one has been created.
    func noteNewVirtualTable() throws {
        letsTriggersWrite = false
        try letTriggersWrite()
    }

    /// Checks that the mandatory tables are tables and have the columns that are used. A view in
    /// their place could run arbitrary code of its author.
    private func requireOwnTables() throws {
        let info = KeyStoreName.info.tableName
        for (table, needed) in [("kvmeta", ["name", "lastSeq"]), (info, ["key", "body"])] {
            let columns = try context.columns(ofTable: table) ?? []
            for column in needed where !columns.contains(column) {
                throw StoreError(
                    .wrongFormat,
                    "\(path) has no table \(table) with a column \(column); restore it from a "
                        + "backup, or recover it")
            }
        }
    }

    /// Reloads a store's tables, to which this connection has added a column.
    func reload(_ name: KeyStoreName) throws {
        let old = tables[name]
        forgetSchema(of: name)
        if let old { try storeTables(name)?.takeOver(old) }
    }

    /// The existing tables and indexes, read once per version of the schema.
    func schemaNames() throws -> SchemaNames {
        if let names { return names }
        let read = try SchemaNames(context)
        names = read
        return read
    }

    /// Drops the cached names of indexes, after some were created.
    func forgetIndexNames() { names = nil }

    /// The tables of a store; nil if the store does not exist.
    package func storeTables(_ name: KeyStoreName) throws -> StoreTables? {
        if let latest, latest.name == name { return latest }
        guard let found = try tables[name] ?? StoreTables(name, session: self) else { return nil }
        tables[name] = found
        latest = found
        return found
    }
}

extension Session {
    /// Whether the table with a store's name has the columns of a store. A table that an
    /// application created for itself must not break operations on all stores.
    package func isStore(_ name: KeyStoreName) throws -> Bool {
        do {
            return try storeTables(name) != nil
        } catch let error as StoreError where error.has(.wrongFormat) {
            return false
        }
    }
}

// Shared keys.
extension Session {
    /// The shared keys in this snapshot.
    var currentSharedKeys: SharedKeys { sharedKeys }

    /// Adopts the keys that a transaction has saved.
    package func keepSharedKeys(_ keys: SharedKeys, state: [UInt8]) {
        sharedKeys = keys
        sharedKeysState = state
        sharedKeysDamage = nil
    }

    /// Decodes the shared keys if another commit has changed them. Damage is not thrown here, but
    /// by operations that need the keys.
    private func readSharedKeys() throws {
        let state = try first(SchemaSQL.getInfo, bind: { try $0.bind(InfoKey.sharedKeys, at: 1) }) {
            row in
            let bytes = row.bytes(at: 0)
            let isSame = sharedKeysState.withUnsafeBytes { bytes.hasSameBytes(as: $0) }
            return isSame ? sharedKeysState : row.byteArray(at: 0)
        }
        let bytes = (state ?? nil) ?? []
        guard bytes != sharedKeysState else { return }
        do {
            keepSharedKeys(try decodedKeys(bytes), state: bytes)
        } catch {
            keepSharedKeys(SharedKeys(), state: bytes)
            sharedKeysDamage = error
        }
    }
}

// Transactions.
extension Session {
    /// Whether a transaction is for reading or for writing.
    enum Mode {
        case reading, writing
    }

    /// Opens an SQLite transaction.
    func begin(_ mode: Mode) throws {
        let statements = try transactionStatements()
        try (mode == .reading ? statements.begin : statements.beginImmediate).update()
    }

    private func transactionStatements() throws -> TransactionStatements {
        if let statements { return statements }
        let prepared = try TransactionStatements(context)
        statements = prepared
        return prepared
    }

    /// Commits the transaction.
    func commit() throws {
        guard context.isInTransaction, let statements else {
            throw StoreError(
                .notInTransaction,
                "the transaction on \(path) had ended before its commit; nothing was changed")
        }
        try statements.commit.update()
    }

    /// Ends a transaction that has changed nothing.
    ///
    /// SQLite can report damage here once more that a statement has met and whose error was caught.
    /// That does not invalidate what was read.
    func endReading() throws {
        do {
            try commit()
        } catch let error as SQLError where error.code.primary == .corrupt {
            rollback()
        }
    }

    /// Rolls the transaction back, whatever error came before.
    func rollback() {
        context.rollback()
    }
}

/// The statements that begin and end every transaction, compiled once.
private final class TransactionStatements {
    let begin: SQLStatement
    let beginImmediate: SQLStatement
    let commit: SQLStatement
    let dataVersion: SQLStatement
    let schemaVersion: SQLStatement

    init(_ context: SQLContext) throws {
        begin = try context.prepare(sql: "BEGIN")
        beginImmediate = try context.prepare(sql: "BEGIN IMMEDIATE")
        commit = try context.prepare(sql: "COMMIT")
        dataVersion = try context.prepare(sql: "PRAGMA data_version")
        schemaVersion = try context.prepare(sql: "PRAGMA schema_version")
    }
}

extension SQLStatement {
    /// The number in the first column of the only row.
    fileprivate func single() throws -> Int64 {
        defer { reset() }
        return try next() ? long(at: 0) : 0
    }
}
