package import SQLCore

/// Moves the tombstones that files from before 3.1 store among the live records of the default
/// collection to the tombstone table, in small steps.
///
/// `maxRowidWithDeletedInDefault` is the highest rowid that may still be a tombstone. Each step
/// lowers it in the step's own transaction, so any process can continue where another stopped.
/// LiteCore does the same with the same number.
package enum TombstoneMigration {
    /// The number of rows that LiteCore checks in one step.
    package static let rowsPerStep = 10_000

    /// Whether no tombstones are left to move. A file without the number has to be searched.
    package static func isFinished(in context: SQLContext) throws -> Bool {
        try InfoRow.number(InfoKey.unmovedTombstones, in: context) == .number(0)
    }

    /// Checks the next rows, from the highest rowid down, and moves the tombstones among them.
    ///
    /// Runs in the caller's transaction, on a writable file of the current schema. Counts rows, not
    /// rowids: large gaps between the rowids of a table cost nothing.
    ///
    /// - Parameter rows: the maximum number of rows to check; at least 1.
    /// - Returns: whether this was the last step.
    package static func step(in context: SQLContext, rows: Int = rowsPerStep) throws -> Bool {
        try context.requireTransaction(for: "moving tombstones")
        guard try !isFinished(in: context) else { return true }
        let version = try context.schemaVersion()
        guard version == SchemaSQL.currentVersion else {
            throw StoreError(
                .cannotUpgradeDatabase, "tombstones of a file of schema \(version) are not moved")
        }
        return try context.transaction {
            try StoreSchema.create(.default, in: context)
            let range = try nextRange(rows: max(rows, 1), in: context)
            _ = try TombstoneMove(.default, in: context).move(range)
            let isLast = range.lowerBound == .min
            try InfoRow.set(
                InfoKey.unmovedTombstones, to: isLast ? 0 : UInt64(range.lowerBound - 1),
                in: context)
            return isLast
        }
    }

    private static func nextRange(
        rows: Int, in context: SQLContext
    ) throws -> ClosedRange<Int64> {
        var highest = Int64.max
        if case .number(let stored) = try InfoRow.number(InfoKey.unmovedTombstones, in: context) {
            highest = Int64(clamping: stored)
        }
        let table = KeyStoreName.default.tableName.sqlName
        let lowest = try context.first(
            "SELECT rowid FROM \(table) WHERE rowid <= ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
            [.long(highest), .long(Int64(rows - 1))]
        ) { $0.long(at: 0) }
        // The stored number cannot express that only rowids below 1 are left, so the last step
        // includes them; SQLite itself assigns none of them.
        guard let lowest, lowest > 1 else { return .min...highest }
        return lowest...highest
    }

    /// The highest rowid that may be a tombstone, found by checking a limited number of rows; 0 if
    /// there is none.
    static func highestPossibleTombstone(in context: SQLContext) throws -> UInt64 {
        let table = KeyStoreName.default.tableName.sqlName
        let looked = try context.first(
            """
            SELECT count(*), max(CASE WHEN (flags & 1) != 0 THEN rowid END)
            FROM (SELECT rowid, flags FROM \(table) LIMIT \(rowsPerStep))
            """
        ) { (rows: $0.long(at: 0), highest: $0.isNull(at: 1) ? 0 : max($0.long(at: 1), 1)) }
        guard let looked, looked.rows < rowsPerStep else {
            // Reads the rightmost entry of the table's B-tree, no other row.
            let last = try context.first("SELECT max(rowid) FROM \(table)") { $0.long(at: 0) }
            return UInt64(max(last ?? 0, 1))
        }
        return UInt64(looked.highest)
    }
}
