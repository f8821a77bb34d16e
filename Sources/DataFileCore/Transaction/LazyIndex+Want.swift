internal import StoreFormat

extension LazyIndex {
    /// Fewer rows are looked through in a millisecond.
    static let worthwhileRows: Int64 = 10_000

    /// Notes that a reader would be faster with this index, if the store lacks it.
    func want(for tables: StoreTables, in snapshot: Snapshot) throws {
        let session = try snapshot.session()
        // Also where only the tombstones lack it, as in files that were upgraded.
        for isDead in [false, true] where !isDead || tables.dead != nil {
            guard try !tables.has(self, dead: isDead, in: session) else { continue }
            return snapshot.state.want(self, of: tables.name)
        }
    }
}

extension StoreTables {
    /// Whether a table has an index; looked up once, as long as the schema stays.
    func has(_ index: LazyIndex, dead isDead: Bool, in session: Session) throws -> Bool {
        let place = IndexPlace(index: index, isDead: isDead)
        if let known = knownIndexes[place] { return known }
        let table = try table(dead: isDead).plainName
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
        return try [live, dead].compactMap(\.self).map {
            try index.create(on: $0.plainName, in: session.context)
        }
    }
}
