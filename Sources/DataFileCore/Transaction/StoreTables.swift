internal import SQLCore
package import StoreFormat

/// The tables of one KeyStore in one file, and the statements that one connection caches for them.
///
/// The columns depend on the version that created the tables.
package final class StoreTables {
    /// A table and which of the columns of later versions it has.
    package struct Table {
        /// The name, quoted for SQL.
        package let name: String
        /// The name in `sqlite_master`.
        package let plainName: String
        package let hasExpiration: Bool
        package let hasExtra: Bool
    }

    package let name: KeyStoreName
    /// The table of the live records; in older files also of the tombstones.
    @exclusivity(unchecked)
    package private(set) var live: Table
    /// The table of the tombstones; nil if the file has none.
    @exclusivity(unchecked)
    package private(set) var tombstones: Table?

    /// The operations of the cached statements. Each table has a statement of its own.
    enum Operation: Int, CaseIterable {
        case getMetadata, getBody, getAll, sequenceMetadata, sequenceBody, sequenceAll
        case insert, update, moveRow, remove, removeExpected, setFlags
        case setExpiration, getExpiration
        case putRaw
    }

    // Unchecked: one thread at a time uses the statements and no access overlaps another, while
    // tracking each access at run time would cost more than the access itself.

    @exclusivity(unchecked)
    private var statements: [SQLStatement?]
    /// Whether an index exists, for each index that was looked up.
    var knownIndexes: [IndexReference: Bool] = [:]

    /// An index of one of the tables.
    struct IndexReference: Hashable {
        let index: LazyIndex
        let isTombstone: Bool
    }

    /// The schema to which the tables, statements and indexes belong.
    private var schemaToken: SchemaToken

    /// What is known about the rows.
    @exclusivity(unchecked)
    package var rows = Rows()
    /// The state to which `rows` belongs.
    private(set) var rowsToken: RowsToken
    /// The state of the file to which all of this belongs.
    @exclusivity(unchecked)
    private(set) var token: ConnectionToken

    /// What is known about the rows of a store, and what a transaction still has to write about
    /// them.
    package struct Rows {
        /// The highest sequence assigned.
        package var lastSequence: Int64?
        /// The highest sequence before the transaction, or at its last commit.
        var committedSequence: Int64?
        /// Whether `lastSequence` still has to be written to `kvmeta`.
        package var isSequenceDirty = false
        /// Whether the tombstone table has rows.
        package var hasTombstones: Bool?
        /// Whether the live table may contain tombstones.
        package var mayHaveLiveTombstones: Bool?
        /// Purges that still have to be written to `kvmeta`.
        package var purges = Pair(live: 0, tombstones: 0)
        /// The purge count in `kvmeta`.
        package var storedPurges: Int64?
        /// The number of rows written in this transaction.
        var written = 0
    }

    /// A number for each table.
    package struct Pair {
        package var live: Int64
        package var tombstones: Int64

        package init(live: Int64, tombstones: Int64) {
            self.live = live
            self.tombstones = tombstones
        }

        /// The sum of both and of a number from the file, which may be as large as `Int64.max`.
        func added(to number: Int64) -> Int64 {
            let (sum, isOver) = number.addingReportingOverflow(live + tombstones)
            return isOver ? .max : sum
        }
    }

    /// Returns nil if the store's table does not exist.
    ///
    /// Throws `.wrongFormat` if it lacks columns.
    init?(_ name: KeyStoreName, in connection: Connection) throws {
        // A tombstone table and a table of an index are not stores of their own.
        guard KeyStoreName(tableName: name.tableName) == name else { return nil }
        guard let found = try Self.tables(of: name, connection) else { return nil }
        self.name = name
        (live, tombstones) = found
        statements = Array(repeating: nil, count: Operation.allCases.count * 2)
        schemaToken = connection.schemaToken
        rowsToken = connection.rowsToken
        token = connection.token
    }

    /// Reads again what belongs to another state of the file; false if the table no longer exists.
    ///
    /// Throws `.wrongFormat` if it lacks columns.
    func refresh(in connection: Connection) throws -> Bool {
        if schemaToken != connection.schemaToken {
            guard let found = try Self.tables(of: name, connection) else { return false }
            (live, tombstones) = found
            statements = Array(repeating: nil, count: statements.count)
            knownIndexes = [:]
            schemaToken = connection.schemaToken
        }
        if rowsToken != connection.rowsToken {
            rows = Rows()
            rowsToken = connection.rowsToken
        }
        token = connection.token
        return true
    }

    private static func tables(
        of name: KeyStoreName, _ connection: Connection
    ) throws -> (live: Table, tombstones: Table?)? {
        guard let live = try table(name.tableName, connection) else { return nil }
        guard name.isCollection else { return (live, nil) }
        return (live, try table(name.tombstoneTableName, connection))
    }

    /// The cached statement of an operation, compiled from `sql` on first use.
    func statement(
        _ operation: Operation, tombstones isTombstone: Bool = false, in connection: Connection,
        _ sql: (Table) throws -> String
    ) throws -> SQLStatement {
        let index = operation.rawValue * 2 + (isTombstone ? 1 : 0)
        if let statement = statements[index] { return statement }
        let statement = try connection.context.prepare(sql: sql(table(tombstones: isTombstone)))
        statements[index] = statement
        return statement
    }

    /// Passes the row with a key to `use`, with the columns of `RecordColumns`, and whether it is
    /// in the tombstone table. Returns nil if there is none.
    @inline(__always)
    func withRow<T>(
        _ key: String, _ content: RecordContent, in connection: Connection,
        _ use: (SQLStatement, Bool) throws -> T
    ) throws -> T? {
        if let found = try withRow(key, content, tombstones: false, connection, use) {
            return found
        }
        guard tombstones != nil, rows.hasTombstones != false else { return nil }
        return try withRow(key, content, tombstones: true, connection, use)
    }

    @inline(__always)
    private func withRow<T>(
        _ key: String, _ content: RecordContent, tombstones isTombstone: Bool,
        _ connection: Connection, _ use: (SQLStatement, Bool) throws -> T
    ) throws -> T? {
        let statement = try statement(
            content.byKey, tombstones: isTombstone, in: connection,
            { RecordColumns.select($0, content, "key=?") })
        defer { statement.reset() }
        var text = key
        return try text.withUTF8 { bytes in
            try statement.bindStaticText(UnsafeRawBufferPointer(bytes), at: 1)
            guard try statement.next() else { return nil }
            return try use(statement, isTombstone)
        }
    }

    /// Removes the row with a key from one of the tables. Returns whether there was one.
    package func remove(
        _ key: String, tombstones isTombstone: Bool, in connection: Connection
    ) throws -> Bool {
        let statement = try statement(.remove, tombstones: isTombstone, in: connection) {
            "DELETE FROM \($0.name) WHERE key=?"
        }
        return try run(statement, key: key, at: 1, in: connection)
    }

    /// Runs a statement that changes the row with a key, and whose other parameters are bound.
    /// Returns whether a row was changed.
    @inline(__always)
    func run(
        _ statement: SQLStatement, key: String, at index: Int, in connection: Connection
    ) throws -> Bool {
        defer { statement.reset() }
        var key = key
        return try key.withUTF8 { text in
            try statement.bindStaticText(UnsafeRawBufferPointer(text), at: index)
            while try statement.next() {}
            return connection.context.changes > 0
        }
    }

    /// The tombstone table or the live table.
    ///
    /// Throws `.wrongFormat` if the store has no tombstone table.
    package func table(tombstones isTombstone: Bool) throws -> Table {
        guard isTombstone else { return live }
        guard let tombstones else {
            throw StoreError(.wrongFormat, "\(live.name) has no table for its tombstones")
        }
        return tombstones
    }

    private static func table(_ name: String, _ connection: Connection) throws -> Table? {
        guard try connection.schemaNames().hasTable(name) else { return nil }
        let columns = try connection.context.columns(ofRealTable: name)
        let missing = ["key", "sequence", "flags", "version", "body"].filter {
            !columns.contains($0)
        }
        guard missing.isEmpty else {
            throw StoreError(
                .wrongFormat,
                "the table \(name) of \(connection.path) lacks the columns "
                    + missing.joined(separator: ", "))
        }
        return Table(
            name: name.sqlName, plainName: name, hasExpiration: columns.contains("expiration"),
            hasExtra: columns.contains("extra"))
    }
}

extension RecordContent {
    /// The statement that reads a row by its key.
    fileprivate var byKey: StoreTables.Operation {
        switch self {
        case .metadata: .getMetadata
        case .body: .getBody
        case .all: .getAll
        }
    }
}

extension LazyIndex {
    /// Fewer rows are scanned within about a millisecond, so that an index would not pay: it adds
    /// 4,000 instructions to an insert, which takes 13,000.
    static let worthwhileRows: Int64 = 5_000

    /// Requests this index from maintenance, unless the store has it already.
    func request(for tables: StoreTables, in snapshot: Snapshot) throws {
        let connection = try snapshot.connection()
        // The live table may have it and only the tombstone table lack it, as in upgraded files.
        for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
            guard try !tables.has(self, tombstones: isTombstone, in: connection) else { continue }
            return snapshot.state.request(self, of: tables.name)
        }
    }
}

extension StoreTables {
    /// Whether a table has an index. Looked up once per version of the schema.
    func has(_ index: LazyIndex, tombstones isTombstone: Bool, in connection: Connection) throws
        -> Bool
    {
        let reference = IndexReference(index: index, isTombstone: isTombstone)
        if let known = knownIndexes[reference] { return known }
        let table = try table(tombstones: isTombstone).plainName
        let found = try connection.schemaNames().hasIndex(index.name(table: table), on: table)
        knownIndexes[reference] = found
        return found
    }

    /// Creates an index on the live table and on the tombstone table.
    ///
    /// Where that is impossible, as in a damaged file with a duplicate sequence, readers scan the
    /// table.
    ///
    /// - Returns: the outcome for each table.
    func create(
        _ index: LazyIndex, in transaction: Transaction
    ) throws -> [LazyIndex.Outcome] {
        let connection = try transaction.connection()
        return try [live, tombstones].compactMap(\.self).map {
            try index.create(on: $0.plainName, in: connection.context)
        }
    }

    /// Creates the index of the sequences in the transaction in which the store becomes large.
    ///
    /// While there are few rows, that costs little. Later, the highest sequence is found without a
    /// scan, whatever the size.
    func indexSequencesIfGrown(in transaction: Transaction) throws {
        guard let before = rows.committedSequence, before <= LazyIndex.worthwhileRows,
            let last = rows.lastSequence, last > LazyIndex.worthwhileRows
        else { return }
        _ = try create(.sequences, in: transaction)
    }
}
