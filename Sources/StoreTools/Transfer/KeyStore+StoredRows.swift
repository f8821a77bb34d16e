package import DataFileCore
internal import SQLCore
internal import StoreFormat

extension KeyStore {
    /// Walks through the rows of a store, collection or raw, in the order of their keys: those of
    /// its table first, then the tombstones that have a table of their own.
    ///
    /// Nothing of a row is copied. Rows whose key is not text, which only damage makes, are passed
    /// over; `unreadableRowCount` counts them. What the same transaction writes to the store
    /// meanwhile may come or not.
    ///
    /// - Parameters:
    ///   - place: where an earlier walk ended; nil for the beginning.
    ///   - body: false ends the walk.
    ///
    /// Throws `.notFound` if the file does not have this store.
    package func forEachStoredRow(
        in snapshot: Snapshot, after place: StoredRowPosition? = nil,
        _ body: (borrowing StoredRowView) throws -> Bool
    ) throws {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let session = try snapshot.session()
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                if place?.isInTombstoneTable == true, !isTombstone { continue }
                let start = place?.isInTombstoneTable == isTombstone ? place?.key : nil
                let table = try tables.table(tombstones: isTombstone)
                let statement = try session.context.prepare(
                    sql: Self.storedRowsSQL(table, isAfter: start != nil))
                try statement.bind(start ?? "", at: 1)
                let row = StoredRowView(statement: statement, isInTombstoneTable: isTombstone)
                while try statement.next() {
                    guard try body(row) else { return }
                }
            }
        }
    }

    /// How many rows have a key that is not text.
    ///
    /// Throws `.notFound` if the file does not have this store.
    package func unreadableRowCount(in snapshot: Snapshot) throws -> Int {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let context = try snapshot.session().context
            return try [tables.live, tables.tombstones].compactMap(\.self).reduce(0) { count, table in
                let sql = "SELECT count(*) FROM \(table.name) WHERE key IS NULL OR key >= x''"
                return count + (try context.first(sql) { Int($0.long(at: 0)) } ?? 0)
            }
        }
    }

    /// Texts sort before blobs: of the index of the keys this is one range.
    private static func storedRowsSQL(_ table: StoreTables.Table, isAfter: Bool) -> String {
        """
        SELECT \(StoredRowView.columns(table)) FROM \(table.name)
        WHERE key \(isAfter ? ">" : ">=") ?1 AND key < x'' ORDER BY key
        """
    }
}
