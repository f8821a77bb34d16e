internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// The rows of all stores.
extension Verifier {
    func checkStores() throws {
        let counts = try countRows()
        noteGaps()
        progress.allRows = counts.values.reduce(0) { $0 + rowsToCheck(of: $1) }
        for store in stores {
            var report = VerificationReport.Store(name: store)
            var tracks: [SequenceTrack] = []
            for isTombstone in [false, true] {
                guard let table = table(of: store, isTombstone: isTombstone), hasColumns(table)
                else {
                    continue
                }
                report.allRows += counts[ExactString(table.name)] ?? 0
                try attempt("the table \(table.name)") {
                    tracks.append(try check(table, counts[ExactString(table.name)], &report))
                }
            }
            report.allRows = max(report.allRows, report.rows)
            sink.report.stores.append(report)
            guard store.isCollection else { continue }
            try attempt("the sequences of \(store.displayName)") {
                try checkSequences(of: store, tracks)
            }
        }
        try progress.report()
    }

    /// Notes tables that the garbage collection of blobs reads and that are not checked here, and
    /// missing keys without which it cannot read documents.
    private func noteGaps() {
        let readable = Set(tables.filter { hasColumns($0) }.map { ExactString($0.name) })
        let isOther = objects.contains { object in
            object.type == "table" && object.hasPages
                && SchemaSQL.mayHoldRecords(table: object.name)
                && !readable.contains(ExactString(object.name))
        }
        if isOther { blobUse.gap = "there are tables of records that cannot be read" }
        // Without them, the garbage collection of blobs cannot read documents either.
        if sharedKeys == nil { blobUse.gap = "the shared keys are damaged" }
    }

    /// All stores that have a table, sorted.
    private var stores: [KeyStoreName] {
        tables.reduce(into: []) { if $0.last != $1.store { $0.append($1.store) } }
    }

    /// Whether a table has the columns that are needed to read its rows. If not, there already is a
    /// finding.
    private func hasColumns(_ table: StoreTable) -> Bool {
        table.columns.isSuperset(of: SchemaSQL.oldestColumns)
    }

    /// The number of rows of each table, without tables with damaged pages.
    private func countRows() throws -> [ExactString: Int] {
        var counts: [ExactString: Int] = [:]
        for table in tables where !isDamaged(table.name) {
            try attempt("the number of rows of \(table.name)") {
                let count = try context.selectValue(
                    sql: "SELECT count(*) FROM main.\(table.name.sqlName)")
                counts[ExactString(table.name)] = Int(clamping: count?.longValue ?? 0)
            }
        }
        return counts
    }

    private func rowsToCheck(of count: Int) -> Int { min(count, options.sample ?? count) }

    private func check(
        _ table: StoreTable, _ count: Int?, _ report: inout VerificationReport.Store
    ) throws -> SequenceTrack {
        var rows = try RowVerifier(setting, table, lastTombstone: lastTombstone(in: table))
        let scan = TableScan(context: context, table: table)
        // Until the last row has been read.
        let gap = blobUse.gap
        blobUse.gap = "the rows that cannot be read may refer to any blob"
        var isWhole = true
        func look(_ row: SQLStatement) throws {
            try rows.check(row)
            try progress.tick(context)
        }
        func note(_ damage: TableScan.Damage) {
            isWhole = false
            sink.add(
                .unreadableRows, damage.message, store: table.store, key: damage.key,
                object: table.name)
        }
        defer {
            report.rows += rows.rows
            report.tombstones += rows.tombstones
        }
        if let sample = options.sample, count ?? .max > sample {
            try scan.forEachRow(ofAbout: sample, look, damage: note)
            blobUse.gap = "only some of the rows were checked"
        } else {
            try scan.forEachRow(look, damage: note)
            if isWhole { blobUse.gap = gap }
        }
        return rows.sequences
    }

    private var setting: RowVerifier.Setting {
        let keys = sharedKeys ?? SharedKeys()
        let hasSpace = keys.count < FleeceLimits.sharedKeys
        let names = RowVerifier.reserved + [BlobKey.attachments]
        return RowVerifier.Setting(
            sink: sink, blobUse: blobUse,
            bodies: RowBodyCheck(
                sharedKeys: keys, level: sharedKeys == nil ? .structure : .strict),
            sharesKeys: sharedKeys != nil && hasSpace,
            canNumberReserved: names.contains { keys.index(of: $0) != nil }, now: now,
            latestPlausible: latestPlausible)
    }

    /// The last row of a table that may be a tombstone; nil for none.
    private func lastTombstone(in table: StoreTable) -> Int64? {
        if table.isTombstone || schemaVersion < Self.firstWithTombstoneTables { return .max }
        guard table.store == .default else { return nil }
        if case .number(let last) = unmovedTombstones {
            return last == 0 ? nil : Int64(clamping: last)
        }
        return .max
    }
}
