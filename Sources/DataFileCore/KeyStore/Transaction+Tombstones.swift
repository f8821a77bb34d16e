internal import StoreFormat

extension Snapshot {
    /// Whether tombstones may still lie among the live records of the default collection.
    func hasUnmovedTombstones() throws -> Bool {
        try KeyStore(.default).exists(in: self)
            && KeyStore(.default).tables(in: self).mayHaveLiveTombstones(in: self)
    }
}

extension Transaction {
    /// Moves tombstones that files of before 3.1 keep among the live records of the default
    /// collection to a table of their own, as far as they are among the next rows.
    ///
    /// The engine does it by itself, in small steps, unless `DataFileOptions.housekeeping` is
    /// false.
    ///
    /// - Parameter rows: how many rows are looked at.
    /// - Returns: whether all have been moved.
    public func moveTombstones(rows: Int = 10_000) throws -> Bool {
        let session = try writing()
        guard try hasUnmovedTombstones() else { return true }
        let tables = try KeyStore(.default).tables(in: self)
        defer {
            tables.hasTombstones = nil
            tables.mayHaveLiveTombstones = nil
        }
        return try TombstoneMigration.step(in: session.context, rows: rows)
    }
}
