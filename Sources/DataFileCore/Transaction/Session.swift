package import FleeceLite
package import QueryFunctions
package import SQLCore
package import StoreFormat

/// A connection to the file and what is kept with it: statements, tables, shared keys, encoder.
///
/// Used by one thread at a time, which its pool sees to.
package final class Session {
    package let context: SQLContext
    /// The bundle's path, for messages.
    package let path: String
    /// Writes the bodies of this connection's transactions.
    ///
    /// Unchecked, since each access would be entered in a list at run time: a transaction itself
    /// refuses to write a body while it writes another.
    @exclusivity(unchecked)
    package var encoder = FleeceEncoder()
    /// What the SQL functions of the connection read bodies with.
    package let functions: FunctionContext
    /// What is done when a model fails, and what was left out of indexes by that.
    package let failures = PredictionFailures()
    /// The snapshot or transaction that is open on it.
    var snapshot: Snapshot?
    /// Whether the file was found to be one that can be written, as it is now.
    var isKnownWritable = false
    /// Whether nothing of another program runs when the file is written, as its schema is now.
    var isKnownOwnSchema = false
    /// How the file keeps revisions, where that was looked up.
    var versioning: Versioning?
    /// How many revisions of a branch the file keeps, where that was looked up.
    var treeDepth: Int?
    /// Whether it was seen to that triggers can write to the virtual tables of indexes.
    private var letsTriggersWrite = false
    /// Whether a schema is trusted that runs what another program has added.
    package var trustsSchema = false
    /// Whether another connection has committed since this was set to false.
    var othersHaveCommitted = false
    /// Whether another connection has altered the schema since this was set to false.
    var othersHaveAltered = false
    /// Statements of enumerators that have come to their end, by their text.
    private var idle: [ExactString: SQLStatement] = [:]

    /// The tables and indexes that there are, once that was looked up.
    private var names: SchemaNames?
    package private(set) var tables: [KeyStoreName: StoreTables] = [:]
    /// The store that was asked for last: mostly it is the next one, too.
    private var latest: StoreTables?
    /// Changes when any other connection commits.
    private var dataVersion: Int64?
    /// Changes when any connection alters the schema.
    private var schemaCookie: Int64?
    private var sharedKeys = SharedKeys()
    private var sharedKeysState: [UInt8] = []
    /// What is wrong with the shared keys of the file; it is read with none then, but for bodies.
    private(set) var sharedKeysDamage: StoreError?
    private var statements: TransactionStatements?
    /// What is kept for queries until the schema changes.
    package let queries = SessionQueries()

    init(context: SQLContext, path: String) throws {
        self.context = context
        self.path = path
        functions = try FunctionContext(sharedKeys: SharedKeys())
        failures.isStrict = true
        try SQLFunctions.register(in: context, functions, failures)
        functions.loadKeys = { [unowned self] in try? storedKeys() }
    }

    /// The shared keys as the file has them now; none if it has no record of them.
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

    /// Prepares for statements outside of snapshots, whose functions read the shared keys again.
    ///
    /// Throws if they cannot be read: what is made with wrong ones would be wrong.
    func prepareForMaintenance() throws {
        functions.use(try storedKeys())
        functions.forgetKeys()
    }

    /// Runs a cached statement and hands its first row to `row`; nil if there is none.
    package func first<T>(
        _ sql: String, bind: (SQLStatement) throws -> Void = { _ in },
        row: (SQLStatement) throws -> T
    ) throws -> T? {
        try context.withStatement(sql: sql) { statement in
            try bind(statement)
            return try statement.next() ? try row(statement) : nil
        }
    }

    /// Runs a cached statement to its end.
    package func run(_ sql: String, bind: (SQLStatement) throws -> Void = { _ in }) throws {
        try context.withStatement(sql: sql) { statement in
            try bind(statement)
            while try statement.next() {}
        }
    }

    /// A statement of a caller's own, until `giveBack` or for good.
    package func take(_ sql: String) throws -> SQLStatement {
        try idle.removeValue(forKey: ExactString(sql)) ?? context.prepare(sql: sql)
    }

    /// Takes a statement back that `take` gave, to be used again.
    package func giveBack(_ statement: SQLStatement, _ sql: String) {
        statement.reset()
        // Texts name stores, of which there is no end.
        if idle.count >= 32 { idle.removeAll() }
        idle[ExactString(sql)] = statement
    }
}

// What others have changed.
extension Session {
    /// Begins the snapshot that SQLite has not begun yet, and drops what it makes wrong.
    ///
    /// One statement does it if nobody else has committed since the last time. Called first in each
    /// transaction.
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

    /// Forgets what may have changed.
    private func forget() {
        for tables in tables.values { tables.forget() }
        dataVersion = nil
        isKnownWritable = false
        forgetInfo()
        encoder.reset()
    }

    /// Forgets what the raw store `info` said.
    package func forgetInfo() {
        versioning = nil
        treeDepth = nil
    }

    /// Forgets all that a transaction that was rolled back may have learnt.
    func forgetTransaction() {
        forgetSchema()
        keepSharedKeys(SharedKeys(), state: [])
        encoder.reset()
    }

    /// Forgets the schema, which this connection has changed.
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

    /// Whether this connection has altered the schema since it was asked the last time.
    package func hasAlteredSchema() throws -> Bool {
        let cookie = try transactionStatements().schemaVersion.single()
        defer { queries.schemaCookie = cookie }
        return cookie != queries.schemaCookie
    }

    /// Forgets the tables of one store, which this connection is making or deleting. What it knows
    /// of others is not in the file yet.
    func forgetSchema(of name: KeyStoreName) {
        tables[name] = nil
        names = nil
        latest = nil
        idle = [:]
        queries.removeAll()
    }

    /// Lets the triggers of full-text indexes write to their tables, if there are any.
    ///
    /// To SQLite 3.40 FTS4 is nothing that the schema of a doubtful file may use. That is kept up
    /// where it can be: `load_extension` is off, and the functions of this project are all
    /// harmless.
    func letTriggersWrite() throws {
        guard !letsTriggersWrite else { return }
        let isNeeded = try context.selectValue(sql: SchemaSQL.hasFullTextTables) != nil
        try context.exec(sql: "PRAGMA trusted_schema=\(isNeeded ? "on" : "off")")
        letsTriggersWrite = true
    }

    /// Looks again for virtual tables, of which one has been made.
    func noteNewVirtualTable() throws {
        letsTriggersWrite = false
        try letTriggersWrite()
    }

    /// The tables that every file has must be tables, since a view can run whatever its maker
    /// likes, and have the columns that are used.
    private func requireOwnTables() throws {
        let info = KeyStoreName.info.tableName
        for (table, needed) in [("kvmeta", ["name", "lastSeq"]), (info, ["key", "body"])] {
            let columns = try context.columns(ofTable: table) ?? []
            for column in needed where !columns.contains(column) {
                throw StoreError(
                    .wrongFormat, "\(path) has no table \(table) with a column \(column)")
            }
        }
    }

    /// Looks at a store's tables again, which this connection has given a column.
    func reload(_ name: KeyStoreName) throws {
        let old = tables[name]
        forgetSchema(of: name)
        if let old { try storeTables(name)?.takeOver(old) }
    }

    /// The tables and indexes that there are, read once for each version of the schema.
    func schemaNames() throws -> SchemaNames {
        if let names { return names }
        let read = try SchemaNames(context)
        names = read
        return read
    }

    /// Forgets which indexes there are, of which some were made.
    func forgetIndexNames() { names = nil }

    /// The tables of a store, nil if there is no such store.
    package func storeTables(_ name: KeyStoreName) throws -> StoreTables? {
        if let latest, latest.name == name { return latest }
        guard let found = try tables[name] ?? StoreTables(name, session: self) else { return nil }
        tables[name] = found
        latest = found
        return found
    }
}

extension Session {
    /// Whether the table with a store's name has a store's columns. One that an application has
    /// made for itself need not be in the way of what is done to all stores.
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
    /// The shared keys as this snapshot sees them.
    var currentSharedKeys: SharedKeys { sharedKeys }

    /// Takes over the keys that a transaction has saved.
    package func keepSharedKeys(_ keys: SharedKeys, state: [UInt8]) {
        sharedKeys = keys
        sharedKeysState = state
        sharedKeysDamage = nil
    }

    /// Decodes the shared keys, if another commit has changed them. That they are damaged is an
    /// error of whoever needs them.
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
    /// Whether the transaction is for writing.
    enum Mode {
        case reading, writing
    }

    /// Opens a transaction of SQLite's.
    func begin(_ mode: Mode) throws {
        let statements = try transactionStatements()
        try (mode == .reading ? statements.begin : statements.beginImmediate).update()
    }

    private func transactionStatements() throws -> TransactionStatements {
        if let statements { return statements }
        let made = try TransactionStatements(context)
        statements = made
        return made
    }

    /// Makes what was done permanent.
    func commit() throws {
        guard context.isInTransaction, let statements else {
            throw StoreError(
                .notInTransaction,
                "the transaction on \(path) had ended before its commit; nothing was changed")
        }
        try statements.commit.update()
    }

    /// Ends a transaction in which nothing was changed.
    ///
    /// SQLite can report damage once more here that a statement has met, and that was caught: what
    /// was read stays read.
    func endReading() throws {
        do {
            try commit()
        } catch let error as SQLError where error.code.primary == .corrupt {
            rollback()
        }
    }

    /// Takes back what was done, whatever has gone wrong before.
    func rollback() {
        context.rollback()
    }
}

/// The statements around every transaction, compiled once.
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
