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
    package let live: Table
    /// The table of the tombstones; nil if the file has none.
    package let tombstones: Table?

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

    // State of the rows, valid until another connection commits.

    /// The highest sequence assigned.
    @exclusivity(unchecked)
    package var lastSequence: Int64?
    /// Whether `lastSequence` still has to be written to `kvmeta`.
    @exclusivity(unchecked)
    package var isSequenceDirty = false
    /// Whether the tombstone table has rows.
    @exclusivity(unchecked)
    package var hasTombstones: Bool?
    /// Whether the live table may contain tombstones.
    @exclusivity(unchecked)
    package var mayHaveLiveTombstones: Bool?
    /// Purges that still have to be written to `kvmeta`.
    package var purges = Pair(live: 0, tombstones: 0)

    /// The purge count in `kvmeta`.
    package var storedPurges: Int64?
    /// The number of rows written in this transaction.
    @exclusivity(unchecked)
    var writtenRows = 0

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
    init?(_ name: KeyStoreName, session: Session) throws {
        // A tombstone table and a table of an index are not stores of their own.
        guard KeyStoreName(tableName: name.tableName) == name else { return nil }
        guard let live = try Self.table(name.tableName, session) else { return nil }
        self.name = name
        self.live = live
        tombstones = name.isCollection ? try Self.table(name.tombstoneTableName, session) : nil
        statements = Array(repeating: nil, count: Operation.allCases.count * 2)
    }

    /// Forgets the state of the rows.
    func forget() {
        lastSequence = nil
        isSequenceDirty = false
        hasTombstones = nil
        mayHaveLiveTombstones = nil
        purges = Pair(live: 0, tombstones: 0)
        storedPurges = nil
        writtenRows = 0
    }

    /// Copies the state of the rows from `old`.
    func takeOver(_ old: StoreTables) {
        lastSequence = old.lastSequence
        isSequenceDirty = old.isSequenceDirty
        hasTombstones = old.hasTombstones
        mayHaveLiveTombstones = old.mayHaveLiveTombstones
        purges = old.purges
        storedPurges = old.storedPurges
        writtenRows = old.writtenRows
    }

    /// The cached statement of an operation, compiled from `sql` on first use.
    func statement(
        _ operation: Operation, tombstones isTombstone: Bool = false, in session: Session,
        _ sql: (Table) throws -> String
    ) throws -> SQLStatement {
        let index = operation.rawValue * 2 + (isTombstone ? 1 : 0)
        if let statement = statements[index] { return statement }
        let statement = try session.context.prepare(sql: sql(table(tombstones: isTombstone)))
        statements[index] = statement
        return statement
    }

    /// Removes the row with a key from one of the tables. Returns whether there was one.
    package func remove(
        _ key: String, tombstones isTombstone: Bool, in session: Session
    ) throws -> Bool {
        let statement = try statement(.remove, tombstones: isTombstone, in: session) {
            "DELETE FROM \($0.name) WHERE key=?"
        }
        return try run(statement, key: key, at: 1, in: session)
    }

    /// Runs a statement that changes the row with a key, and whose other parameters are bound.
    /// Returns whether a row was changed.
    @inline(__always)
    func run(
        _ statement: SQLStatement, key: String, at index: Int, in session: Session
    ) throws -> Bool {
        defer { statement.reset() }
        var key = key
        return try key.withUTF8 { text in
            try statement.bindStaticText(UnsafeRawBufferPointer(text), at: index)
            while try statement.next() {}
            return session.context.changes > 0
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

    private static func table(_ name: String, _ session: Session) throws -> Table? {
        guard try session.schemaNames().hasTable(name) else { return nil }
        let columns = try session.context.columns(ofRealTable: name)
        let missing = ["key", "sequence", "flags", "version", "body"].filter {
            !columns.contains($0)
        }
        guard missing.isEmpty else {
            throw StoreError(
                .wrongFormat,
                "the table \(name) of \(session.path) lacks the columns "
                    + missing.joined(separator: ", "))
        }
        return Table(
            name: name.sqlName, plainName: name, hasExpiration: columns.contains("expiration"),
            hasExtra: columns.contains("extra"))
    }
}

extension LazyIndex {
    /// Fewer rows are scanned within a millisecond, so that an index would not pay.
    static let worthwhileRows: Int64 = 10_000

    /// Requests this index from maintenance, unless the store has it already.
    func request(for tables: StoreTables, in snapshot: Snapshot) throws {
        let session = try snapshot.session()
        // The live table may have it and only the tombstone table lack it, as in upgraded files.
        for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
            guard try !tables.has(self, tombstones: isTombstone, in: session) else { continue }
            return snapshot.state.request(self, of: tables.name)
        }
    }
}

extension StoreTables {
    /// Whether a table has an index. Looked up once per version of the schema.
    func has(_ index: LazyIndex, tombstones isTombstone: Bool, in session: Session) throws -> Bool {
        let reference = IndexReference(index: index, isTombstone: isTombstone)
        if let known = knownIndexes[reference] { return known }
        let table = try table(tombstones: isTombstone).plainName
        let found = try session.schemaNames().hasIndex(index.name(table: table), on: table)
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
        let session = try transaction.session()
        defer {
            knownIndexes = [:]
            session.forgetIndexNames()
        }
        return try [live, tombstones].compactMap(\.self).map {
            try index.create(on: $0.plainName, in: session.context)
        }
    }
}
