internal import FleeceLite
internal import SQLCore

/// A connection to the file and what is kept with it: prepared statements, shared keys, encoder.
///
/// Used by one thread at a time, which its pool sees to.
final class Session {
    let context: SQLContext
    /// The bundle's path, for messages.
    let path: String
    /// Writes the bodies of this connection's transactions.
    var encoder = FleeceEncoder()

    private var statements: [String: SQLStatement] = [:]
    private var tables: [KeyStoreName: StoreTables] = [:]
    /// Changes when any connection alters the schema.
    private var schemaCookie: SQLValue?
    private var sharedKeys = SharedKeys()
    private var sharedKeysState: [UInt8] = []

    init(context: SQLContext, path: String) {
        self.context = context
        self.path = path
    }

    /// A statement that is kept for the next time; it comes back reset, by whoever uses it.
    ///
    /// Its text must not hold a name from the file: names that Swift takes for equal can be
    /// different ones, and there is no end to them. `StoreTables` keeps those.
    func statement(_ sql: String) throws -> SQLStatement {
        if let kept = statements[sql] { return kept }
        let statement = try context.prepare(sql: sql)
        statements[sql] = statement
        return statement
    }

    /// Runs a kept statement and hands its first row to `row`; nil if there is none.
    func first<T>(
        _ sql: String, bind: (SQLStatement) throws -> Void = { _ in },
        row: (SQLStatement) throws -> T
    ) throws -> T? {
        let statement = try statement(sql)
        defer { statement.reset() }
        try bind(statement)
        return try statement.next() ? try row(statement) : nil
    }

    /// Runs a statement that is not kept, and hands its first row to `row`.
    func firstOnce<T>(_ sql: String, row: (SQLStatement) throws -> T) throws -> T? {
        let statement = try context.prepare(sql: sql)
        return try statement.next() ? try row(statement) : nil
    }

    /// Runs a kept statement to its end.
    func run(_ sql: String, bind: (SQLStatement) throws -> Void = { _ in }) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try bind(statement)
        while try statement.next() {}
    }

    /// Drops what another connection's change of the schema made wrong.
    ///
    /// Called at the start of each snapshot.
    func refreshSchema() throws {
        let cookie = try first("PRAGMA schema_version") { $0.value(at: 0) }
        if cookie != schemaCookie {
            try requireOwnTables()
            tables = [:]
            schemaCookie = cookie
        }
    }

    /// The tables that every file has must be tables, since a view can run whatever its maker
    /// likes, and have the columns that are used.
    private func requireOwnTables() throws {
        let info = KeyStoreName.info.tableName
        for (table, needed) in [("kvmeta", ["name", "lastSeq"]), (info, ["key", "body"])] {
            let columns = try columns(of: table) ?? []
            for column in needed where !columns.contains(column) {
                throw StoreError(
                    .wrongFormat, "\(path) has no table \(table) with a column \(column)")
            }
        }
    }

    /// The names of a table's columns; nil if there is no table of this name, but perhaps a view.
    func columns(of table: String) throws -> Set<String>? {
        let isTable = try first(
            SchemaSQL.tableExists, bind: { try $0.bind(table, at: 1) }, row: { _ in true })
        guard isTable != nil else { return nil }
        var columns: Set<String> = []
        let statement = try statement("SELECT name FROM pragma_table_info(?)")
        defer { statement.reset() }
        try statement.bind(table, at: 1)
        while try statement.next() { columns.insert(statement.text(at: 0) ?? "") }
        return columns
    }

    /// A store's last sequence as `kvmeta` has it, 0 if it has none.
    func lastSequence(_ name: KeyStoreName) throws -> Int64 {
        try first(
            "SELECT lastSeq FROM kvmeta WHERE name=?", bind: { try $0.bind(name.rawName, at: 1) },
            row: { $0.long(at: 0) }) ?? 0
    }

    /// Forgets what a transaction that was rolled back had learnt.
    func forget() {
        tables = [:]
        schemaCookie = nil
        sharedKeysState = []
        encoder.reset()
    }

    /// The tables of a store, nil if there is no such store.
    func storeTables(_ name: KeyStoreName) throws -> StoreTables? {
        if let known = tables[name] { return known }
        guard let found = try StoreTables(name, session: self) else { return nil }
        tables[name] = found
        return found
    }

    /// The shared keys as this snapshot sees them, read anew only if another commit changed them.
    func currentSharedKeys() throws -> SharedKeys {
        let sql = "SELECT body FROM kv_info WHERE key=?"
        let state = try first(sql, bind: { try $0.bind(InfoKey.sharedKeys, at: 1) }) { row in
            row.bytes(at: 0).elementsEqual(sharedKeysState) ? sharedKeysState : row.byteArray(at: 0)
        }
        guard let state = state ?? nil, !state.isEmpty else { return SharedKeys() }
        if state != sharedKeysState {
            do {
                sharedKeys = try SharedKeys(state: state)
            } catch {
                throw StoreError(
                    .corruptData, "the shared keys of \(path) are damaged: \(error)",
                    underlying: error)
            }
            sharedKeysState = state
        }
        return sharedKeys
    }
}
