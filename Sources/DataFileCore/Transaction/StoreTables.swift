internal import SQLCore
package import StoreFormat

/// The tables of one KeyStore in one file, whose columns depend on the version that made it, and
/// the statements that are kept for them on one connection.
package final class StoreTables {
    /// One table, quoted, and which of the later columns it has.
    package struct Table {
        /// As it stands in SQL.
        package let name: String
        /// As it stands in `sqlite_master`.
        package let plainName: String
        package let hasExpiration: Bool
        package let hasExtra: Bool
    }

    package let name: KeyStoreName
    /// The records that are alive; in older files also tombstones.
    package let live: Table
    /// The tombstones, where they have a table of their own.
    package let tombstones: Table?

    /// What a cached statement does; each table has its own.
    enum Operation: Int, CaseIterable {
        case getMetadata, getBody, getAll, sequenceMetadata, sequenceBody, sequenceAll
        case insert, update, moveRow, remove, removeExpected, setFlags
        case setExpiration, getExpiration
        case putRaw
    }

    // Used by one thread at a time, and nothing of it is changed while it is being changed:
    // entering each access in a list at run time would cost more than the accesses.

    @exclusivity(unchecked)
    private var kept: [SQLStatement?]
    /// Whether there is an index, where that was looked up.
    var knownIndexes: [IndexReference: Bool] = [:]

    /// An index of one of the tables.
    struct IndexReference: Hashable {
        let index: LazyIndex
        let isTombstone: Bool
    }

    // What is known of the rows, until another connection commits.

    /// The highest sequence that was given.
    @exclusivity(unchecked)
    package var lastSequence: Int64?
    /// It is not in `kvmeta` yet.
    @exclusivity(unchecked)
    package var isSequenceDirty = false
    /// Whether the table of tombstones has rows.
    @exclusivity(unchecked)
    package var hasTombstones: Bool?
    /// Whether tombstones may lie among the live records.
    @exclusivity(unchecked)
    package var mayHaveLiveTombstones: Bool?
    /// Purges that are not in `kvmeta` yet.
    package var purges = Pair(live: 0, tombstones: 0)

    /// Purges as `kvmeta` counts them.
    package var storedPurges: Int64?
    /// Rows that were written in this transaction.
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

        /// Both and a number of the file's, which may be as high as there is.
        func added(to number: Int64) -> Int64 {
            let (sum, isOver) = number.addingReportingOverflow(live + tombstones)
            return isOver ? .max : sum
        }
    }

    /// Nil if the store's table does not exist.
    init?(_ name: KeyStoreName, session: Session) throws {
        // The table of another store's tombstones, or of an index, is not a store's of its own.
        guard KeyStoreName(tableName: name.tableName) == name else { return nil }
        guard let live = try Self.table(name.tableName, session) else { return nil }
        self.name = name
        self.live = live
        tombstones = name.isCollection ? try Self.table(name.tombstoneTableName, session) : nil
        kept = Array(repeating: nil, count: Operation.allCases.count * 2)
    }

    /// Drops what is known of the rows.
    func forget() {
        lastSequence = nil
        isSequenceDirty = false
        hasTombstones = nil
        mayHaveLiveTombstones = nil
        purges = Pair(live: 0, tombstones: 0)
        storedPurges = nil
        writtenRows = 0
    }

    /// Takes over what is known of the rows.
    func takeOver(_ old: StoreTables) {
        lastSequence = old.lastSequence
        isSequenceDirty = old.isSequenceDirty
        hasTombstones = old.hasTombstones
        mayHaveLiveTombstones = old.mayHaveLiveTombstones
        purges = old.purges
        storedPurges = old.storedPurges
        writtenRows = old.writtenRows
    }

    /// The statement for an operation, compiled from `sql` the first time.
    func statement(
        _ operation: Operation, tombstones isTombstone: Bool = false, in session: Session,
        _ sql: (Table) throws -> String
    ) throws -> SQLStatement {
        let index = operation.rawValue * 2 + (isTombstone ? 1 : 0)
        if let statement = kept[index] { return statement }
        let statement = try session.context.prepare(sql: sql(table(tombstones: isTombstone)))
        kept[index] = statement
        return statement
    }

    /// Removes the row of a key from one of the tables; returns whether there was one.
    package func remove(_ key: String, tombstones isTombstone: Bool, in session: Session) throws -> Bool {
        let statement = try statement(.remove, tombstones: isTombstone, in: session) {
            "DELETE FROM \($0.name) WHERE key=?"
        }
        return try run(statement, key: key, at: 1, in: session)
    }

    /// Runs a change of the row of a key, whose other parameters are bound; returns whether there
    /// was one.
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

    /// The table of tombstones or of the live records.
    ///
    /// Throws `.wrongFormat` if there is none for tombstones.
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
    /// Fewer rows are looked through in a millisecond.
    static let worthwhileRows: Int64 = 10_000

    /// Notes that a reader would be faster with this index, if the store lacks it.
    func want(for tables: StoreTables, in snapshot: Snapshot) throws {
        let session = try snapshot.session()
        // Also where only the tombstones lack it, as in files that were upgraded.
        for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
            guard try !tables.has(self, tombstones: isTombstone, in: session) else { continue }
            return snapshot.state.want(self, of: tables.name)
        }
    }
}

extension StoreTables {
    /// Whether a table has an index; looked up once, as long as the schema stays.
    func has(_ index: LazyIndex, tombstones isTombstone: Bool, in session: Session) throws -> Bool {
        let place = IndexReference(index: index, isTombstone: isTombstone)
        if let known = knownIndexes[place] { return known }
        let table = try table(tombstones: isTombstone).plainName
        let found = try session.schemaNames().hasIndex(index.name(table: table), on: table)
        knownIndexes[place] = found
        return found
    }

    /// Makes an index for the live records and the tombstones.
    ///
    /// Where it cannot be made, as in a damaged file that has a sequence twice, readers do without.
    ///
    /// - Returns: what became of it in either table.
    func make(
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
