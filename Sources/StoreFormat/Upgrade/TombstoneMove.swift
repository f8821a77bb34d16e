package import SQLCore

/// Moves tombstones from a store's live table to its tombstone table, by column name.
package struct TombstoneMove {
    let context: SQLContext
    let store: KeyStoreName

    /// Checks that both tables have the columns that are moved and no others, so that nothing is
    /// lost.
    ///
    /// Throws `.wrongFormat` for a missing table or column, `.unsupported` for unknown columns.
    package init(_ store: KeyStoreName, in context: SQLContext) throws {
        self.context = context
        self.store = store
        let needed = Set(SchemaSQL.storeColumns)
        for table in [store.tableName, store.tombstoneTableName] {
            guard let columns = try context.columns(ofTable: table), columns.isSuperset(of: needed)
            else {
                throw StoreError(
                    .wrongFormat, "\(table) is not a table, or lacks columns of a store")
            }
            let unknown = columns.subtracting(needed)
            guard unknown.isEmpty || table != store.tableName else {
                throw StoreError(
                    .unsupported,
                    "\(table) has columns that this version does not know ("
                        + unknown.sorted().joined(separator: ", ")
                        + "), so its tombstones are not moved")
            }
        }
    }

    /// Moves the tombstones in a range of rowids; returns how many.
    ///
    /// If a key is in both tables, the row with the higher sequence stays. Reads the flags of each
    /// row in the range, which precede the body, and copies the rows that move.
    func move(_ rowids: ClosedRange<Int64>) throws -> Int {
        let range: [SQLValue] = [.long(rowids.lowerBound), .long(rowids.upperBound)]
        do {
            try context.run(insertion, range)
        } catch let error as SQLError where error.code == .uniqueConstraint {
            // The file is damaged: two rows share a sequence. The sequence index can be rebuilt at
            // any time, the row cannot.
            let index = LazyIndex.sequences.name(table: store.tombstoneTableName)
            try context.exec(sql: "DROP INDEX IF EXISTS \(index.sqlName)")
            try context.run(insertion, range)
        }
        return try context.run("DELETE FROM \(store.tableName.sqlName) WHERE \(filter)", range)
    }

    private var filter: String { "rowid BETWEEN ?1 AND ?2 AND (flags & 1) != 0" }

    private var insertion: String {
        """
        INSERT INTO \(store.tombstoneTableName.sqlName)
            (key, sequence, flags, version, body, expiration, extra)
        SELECT key, sequence, flags, version, body, \(SwappedRows.expiration), \(SwappedRows.extra)
        FROM \(store.tableName.sqlName) WHERE \(filter)
        ON CONFLICT (key) DO UPDATE SET sequence = excluded.sequence, flags = excluded.flags,
            version = excluded.version, body = excluded.body, expiration = excluded.expiration,
            extra = excluded.extra
        WHERE ifnull(excluded.sequence, 0) > ifnull(sequence, 0)
        """
    }
}
