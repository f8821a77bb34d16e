package import FleeceLite
package import QueryFunctions
package import SQLCore
package import StoreFormat

/// A connection to the file: its context in a pool, the snapshot that is open on it, and its
/// caches.
///
/// Used by one thread at a time, which its pool ensures. Each cache stores the token of the state
/// of the file that it was read from; see `ConnectionToken`.
package final class Connection: PooledConnection, @unchecked Sendable {
    // Unchecked: a pool lends a connection to one caller at a time, under a lock.

    package let pooled: PooledContext
    package let context: SQLContext
    /// The bundle's path, for error messages.
    package let path: String
    /// The state that all connections of this process share for the file.
    package let state: FileState
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
    /// Whether to accept a schema that runs code added by another program.
    package let trustsSchema: Bool
    /// The snapshot or transaction that is open on this connection.
    var snapshot: Snapshot?

    // The state of the file. Unchecked: the token is compared at each use of a cache.

    /// `PRAGMA data_version` in the current transaction, or the last one.
    @exclusivity(unchecked)
    var dataVersion = Int64.min
    /// `PRAGMA schema_version` when `dataVersion` changed last.
    @exclusivity(unchecked)
    var schemaCookie = Int64.min
    /// The state whose rows have been compared with what observers know.
    var comparedRows: RowsToken?

    // The caches.

    /// The tables of the stores that have been used.
    private(set) var tables: [KeyStoreName: StoreTables] = [:]
    /// The store that was used last: usually it is also the next one.
    private var latest: StoreTables?
    @exclusivity(unchecked)
    var sharedKeys = StoredSharedKeys()
    var settingsCache = Cached<Settings, RowsToken>()
    var namesCache = Cached<SchemaNames, SchemaToken>()
    var queriesCache = Cached<ConnectionQueries, SchemaToken>()
    /// The state in which the file was checked and can be written.
    var writableState: ConnectionToken?
    /// The schema that was checked: writing runs no triggers of other programs.
    var ownSchema: SchemaToken?
    /// The schema for which the triggers of full-text indexes may write.
    var schemaOfTriggers: SchemaToken?
    /// Idle statements of finished enumerators, by their SQL.
    private var idle: [ExactString: SQLStatement] = [:]
    private var transactionStatements: TransactionStatements?

    init(_ pooled: PooledContext, path: String, state: FileState, trustsSchema: Bool) throws {
        self.pooled = pooled
        context = pooled.context
        self.path = path
        self.state = state
        self.trustsSchema = trustsSchema
        failures.isStrict = true
        functions = try FunctionContext.registered(in: context, failures, path: path)
    }

    package func releaseStatements() {
        tables = [:]
        latest = nil
        idle = [:]
        queriesCache.removeValue()
        transactionStatements = nil
    }

    /// Identifies the state of the file that the connection sees.
    @inline(__always)
    var token: ConnectionToken {
        ConnectionToken(dataVersion: dataVersion, changes: context.connection.changeCounts)
    }

    var schemaToken: SchemaToken {
        SchemaToken(cookie: schemaCookie, changes: context.connection.changeCounts.schema)
    }

    var rowsToken: RowsToken {
        RowsToken(
            dataVersion: dataVersion, rollbacks: context.connection.changeCounts.rollbacks)
    }
}

// The tables of stores.
extension Connection {
    /// The tables of a store; nil if the store does not exist.
    package func storeTables(_ name: KeyStoreName) throws -> StoreTables? {
        if let latest, latest.token == token, latest.name == name { return latest }
        return try currentTables(name)
    }

    @inline(never)
    private func currentTables(_ name: KeyStoreName) throws -> StoreTables? {
        if let known = tables[name] {
            latest = try known.refresh(in: self) ? known : nil
        } else {
            latest = try StoreTables(name, in: self)
        }
        tables[name] = latest
        return latest
    }

    /// The stores of whose rows something is known in this state of the file.
    package var usedTables: some Sequence<StoreTables> {
        let current = rowsToken
        return tables.values.lazy.filter { $0.rowsToken == current }
    }

    /// Removes the tables of a store that this connection has deleted, with the counts of its rows.
    func removeTables(of name: KeyStoreName) {
        tables[name] = nil
        latest = nil
    }

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

// Statements.
extension Connection {
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

    /// Accepts a statement that `take` returned, for reuse. SQLite compiles it again if the schema
    /// has changed.
    package func giveBack(_ statement: SQLStatement, _ sql: String) {
        statement.reset()
        // The SQL contains names of stores, whose number is unlimited.
        if idle.count >= 32 { idle.removeAll() }
        idle[ExactString(sql)] = statement
    }

    /// The statements that begin and end every transaction, compiled on first use.
    func statementsOfTransactions() throws -> TransactionStatements {
        if let transactionStatements { return transactionStatements }
        let prepared = try TransactionStatements(context)
        transactionStatements = prepared
        return prepared
    }
}
