package import SQLCore
internal import StoreFormat

/// Rows whose `expiration` and `extra` have changed places.
///
/// LiteCore moves the tombstones of older files by the positions of the columns, which differ
/// between a table that 3.0 made and a new one: the revision tree lands in `expiration`, and what
/// was the expiration in `extra`. A tree is a blob, and an expiration never is; so a blob in
/// `expiration` and none in `extra` is such a row.
package enum SwappedRows {
    /// SQL for what a row's expiration really is.
    package static let expiration = "CASE WHEN \(isSwapped) THEN extra ELSE expiration END"
    /// SQL for what a row's extra really is.
    package static let extra = "CASE WHEN \(isSwapped) THEN expiration ELSE extra END"

    /// More of an `UPDATE` that writes a new `extra`: the old one, where it stands in `expiration`,
    /// goes.
    static let clearing = ", expiration = CASE WHEN \(isSwapped) THEN extra ELSE expiration END"
    /// More of an `UPDATE` that writes a new `expiration`: what belongs into `extra` is put there.
    static let keeping = ", extra = \(extra)"

    private static let isSwapped =
        "typeof(expiration) = 'blob' AND typeof(extra) IN ('null', 'integer')"

    /// Puts right the rows of a table; returns how many there were.
    ///
    /// Blobs sort after all other values, so they are one range of the table's index of
    /// expirations: it costs a look into that, and the rows themselves. A table without that index
    /// is left as it is, since all its rows would have to be read; reading tolerates such rows.
    package static func repair(table: String, in context: SQLContext) throws -> Int {
        let index = SchemaSQL.expirationIndex(table: table)
        let source = "\(table.sqlName) INDEXED BY \(index.sqlName)"
        let rows = "WHERE expiration >= x'' AND \(isSwapped)"
        guard let find = try compile("SELECT 1 FROM \(source) \(rows) LIMIT 1", context),
            try find.next()
        else { return 0 }
        find.reset()
        return try context.run(
            "UPDATE \(source) SET expiration = extra, extra = expiration \(rows)")
    }

    /// Nil if the index is missing, or is another one under its name.
    private static func compile(_ sql: String, _ context: SQLContext) throws -> SQLStatement? {
        do {
            return try context.prepare(sql: sql)
        } catch let error as SQLError where error.code == .error {
            return nil
        }
    }

    /// Puts right the rows of all stores; returns how many there were.
    static func repairAll(_ catalog: StoreCatalog, in context: SQLContext) throws -> Int {
        try catalog.tables.reduce(0) { sum, table in
            let columns = try context.columns(ofTable: table) ?? []
            guard columns.isSuperset(of: ["expiration", "extra"]) else { return sum }
            return sum + (try repair(table: table, in: context))
        }
    }
}
