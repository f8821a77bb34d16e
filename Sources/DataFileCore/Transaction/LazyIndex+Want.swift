internal import SQLCore

extension LazyIndex {
    /// Fewer rows are looked through in a millisecond.
    static let worthwhileRows: Int64 = 10_000

    /// Notes that a reader would be faster with this index, if the store lacks it.
    func want(for tables: StoreTables, in snapshot: Snapshot) throws {
        let session = try snapshot.session()
        guard try !tables.has(self, dead: false, in: session) else { return }
        snapshot.state.want(self, of: tables.name)
    }
}

extension StoreTables {
    /// Whether a table has an index; looked up once, as long as the schema stays.
    func has(_ index: LazyIndex, dead isDead: Bool, in session: Session) throws -> Bool {
        let place = IndexPlace(index: index, isDead: isDead)
        if let known = knownIndexes[place] { return known }
        let found = try index.exists(on: table(dead: isDead).plainName, in: session.context)
        knownIndexes[place] = found
        return found
    }

    /// Makes an index for the live records and the tombstones.
    ///
    /// Where it cannot be made, as in a damaged file that has a sequence twice, readers do without.
    func make(_ index: LazyIndex, in transaction: Transaction) throws {
        let session = try transaction.session()
        for table in [live, dead].compactMap(\.self) {
            _ = try index.create(on: table.plainName, in: session.context)
        }
        knownIndexes = [:]
    }
}
