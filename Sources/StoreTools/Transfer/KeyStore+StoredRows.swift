package import DataFileCore
internal import SQLCore
internal import StoreFormat

extension KeyStore {
    /// Enumerates the rows of a store, a collection's or a raw one, by key: first those of its live
    /// table, then those of its tombstone table.
    ///
    /// Rows are not copied. Rows whose key is not a string, which only damage can cause, are
    /// skipped; `unreadableRowCount` counts them. Rows that the same transaction writes meanwhile
    /// may or may not be included.
    ///
    /// - Parameters:
    ///   - position: the end of an earlier enumeration; nil to start.
    ///   - body: returns false to stop.
    ///
    /// Throws `.notFound` if the store does not exist.
    package func forEachStoredRow(
        in snapshot: Snapshot, after position: StoredRowPosition? = nil,
        _ body: (borrowing StoredRowView) throws -> Bool
    ) throws {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let connection = try snapshot.connection()
            for isTombstone in [false, true] where !isTombstone || tables.tombstones != nil {
                if position?.isInTombstoneTable == true, !isTombstone { continue }
                let start = position?.isInTombstoneTable == isTombstone ? position?.key : nil
                let table = try tables.table(tombstones: isTombstone)
                let statement = try connection.context.prepare(
                    sql: Self.storedRowsSQL(table, isAfter: start != nil))
                try statement.bind(start ?? "", at: 1)
                let row = StoredRowView(statement: statement, isInTombstoneTable: isTombstone)
                while try statement.next() {
                    guard try body(row) else { return }
                }
            }
        }
    }

    /// The number of rows whose key is not a string.
    ///
    /// Throws `.notFound` if the store does not exist.
    package func unreadableRowCount(in snapshot: Snapshot) throws -> Int {
        try snapshot.wrapping(name) {
            let tables = try tables(in: snapshot)
            let context = try snapshot.connection().context
            return try [tables.live, tables.tombstones].compactMap(\.self).reduce(0) {
                count, table in
                let sql = "SELECT count(*) FROM \(table.name) WHERE key IS NULL OR key >= x''"
                return count + (try context.first(sql) { Int($0.long(at: 0)) } ?? 0)
            }
        }
    }

    /// The SELECT of the rows. Strings sort before blobs, so it is one range of the keys' index.
    private static func storedRowsSQL(_ table: StoreTables.Table, isAfter: Bool) -> String {
        """
        SELECT \(StoredRowView.columns(table)) FROM \(table.name)
        WHERE key \(isAfter ? ">" : ">=") ?1 AND key < x'' ORDER BY key
        """
    }
}
