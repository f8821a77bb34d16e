package import SQLCore

/// Moves the tombstones that files of before 3.1 keep among the live records of the default
/// collection to their own table, a little at a time.
///
/// `maxRowidWithDeletedInDefault` says up to which row there may still be some; it goes down with
/// each step, in the step's own transaction, so that any process can go on where another stopped.
/// LiteCore does the same with the same number.
package enum TombstoneMigration {
    /// As many rows as LiteCore looks at in one step.
    package static let rowsPerStep = 10_000

    /// Whether there is nothing left to move. A file that does not say has to be looked through.
    package static func isFinished(in context: SQLContext) throws -> Bool {
        try InfoRow.number(InfoKey.unmovedTombstones, in: context) == .number(0)
    }

    /// Looks at the next rows, from the highest down, and moves the tombstones among them.
    ///
    /// Runs in the caller's transaction, on a file of the current schema that can be written. Rows
    /// are counted, not numbers: a table with wide gaps between its rowids takes no longer.
    ///
    /// - Parameter rows: the most rows that are looked at; at least 1.
    /// - Returns: whether that was the last step.
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
        // The stored number cannot say that only rows below 1 are left, so the last step takes
        // them, too; SQLite itself gives none such.
        guard let lowest, lowest > 1 else { return .min...highest }
        return lowest...highest
    }

    /// Up to which row there may be tombstones, as far as a look at a bounded number of rows can
    /// tell; 0 for none.
    static func highestPossibleTombstone(in context: SQLContext) throws -> UInt64 {
        let table = KeyStoreName.default.tableName.sqlName
        let looked = try context.first(
            """
            SELECT count(*), max(CASE WHEN (flags & 1) != 0 THEN rowid END)
            FROM (SELECT rowid, flags FROM \(table) LIMIT \(rowsPerStep))
            """
        ) { (rows: $0.long(at: 0), highest: $0.isNull(at: 1) ? 0 : max($0.long(at: 1), 1)) }
        guard let looked, looked.rows < rowsPerStep else {
            // The end of the table's tree: no row is read.
            let last = try context.first("SELECT max(rowid) FROM \(table)") { $0.long(at: 0) }
            return UInt64(max(last ?? 0, 1))
        }
        return UInt64(looked.highest)
    }
}
