internal import DataFileCore
internal import SQLCore
internal import StoreFormat

/// Recovers the rows that SQLite can reach: from both ends of each table, and around unreadable
/// pages.
final class TableSalvage {
    private let context: SQLContext
    private let path: String
    private let target: SalvageTarget
    /// The losses.
    private(set) var report = SalvageReport()

    /// An error of writing the new file, as opposed to damage of the old one.
    private struct TargetFailure: Error {
        let reason: any Error
    }

    /// How often reading a table is retried after an unreadable row.
    private static let maximumTries = 4096

    /// - Parameter path: the path of a copy of the damaged file, which is only read.
    init(path: String, _ key: (any DatabaseKey)?, target: SalvageTarget) throws {
        context = try SQLContext(
            path: path, flags: [.readWrite, .noMutex],
            configuration: key?.encrypting(.platform) ?? .platform)
        self.path = path
        self.target = target
        try context.keepWALOnClose()
    }

    /// Recovers the rows, and returns the counts in `kvmeta`.
    func run() throws -> [StoreCounts] {
        do {
            let tables = try tolerating {
                try context.exec(
                    sql: SchemaSQL.connectionPragmas()
                        + "; PRAGMA query_only=on; PRAGMA cell_size_check=on")
                return try StoreTable.all(in: context)
            }
            for table in tables ?? [] { try save(table) }
            report.indexes = try tolerating { try indexes() } ?? []
            return try tolerating { try counts() } ?? []
        } catch let failure as TargetFailure {
            throw failure.reason
        }
    }

    /// Runs `body`. If it encounters damage, notes the error and returns nil.
    private func tolerating<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as SQLError where Self.isDamage(error) {
            report.sqliteFailure = report.sqliteFailure ?? error.message
            return nil
        }
    }

    /// Whether an error is due to the file's contents rather than to the system.
    private static func isDamage(_ error: SQLError) -> Bool {
        switch error.code {
        case .interrupted, .full, .noMemory, .busy, .locked, .cannotOpen, .permission: false
        default: true
        }
    }

    private func counts() throws -> [StoreCounts] {
        let columns = try context.selectAll(sql: "SELECT name FROM pragma_table_info('kvmeta')")
            .compactMap { $0[0].textValue }
        let isTable = try context.selectValue(
            sql: SchemaSQL.tableExists, parameters: [.text("kvmeta")])
        guard isTable != nil, columns.contains("lastSeq"), columns.contains("name") else {
            return []
        }
        let purges = columns.contains("purgeCnt") ? "purgeCnt" : "0"
        return try context.selectAll(sql: "SELECT name, lastSeq, \(purges) FROM kvmeta").map {
            StoreCounts(
                name: $0[0].textValue ?? "", lastSequence: max($0[1].longValue ?? 0, 0),
                purges: max($0[2].longValue ?? 0, 0))
        }
    }

    private func indexes() throws -> [StoredIndex] {
        do {
            return try IndexRegistry.rowsIfReadable(in: context, path: path).map {
                try StoredIndex($0, in: context)
            }
        } catch is StoreError {
            // A registry that cannot be read does not prevent recovering the documents.
            return []
        }
    }
}

// One table.
extension TableSalvage {
    private func save(_ table: StoreTable) throws {
        guard table.columns.isSuperset(of: ["key", "body"]) else { return }
        var forward = Pass(isAscending: true)
        try pass(table, &forward)
        guard forward.isDamaged else { return }
        var backward = Pass(isAscending: false)
        backward.end = forward.firstFailure
        try pass(table, &backward)
        try noteKeys(table, ascending: true)
        try noteKeys(table, ascending: false)
    }

    /// The state of a pass through a table.
    private struct Pass {
        let isAscending: Bool
        /// The next rowid.
        var next: Int64
        var step: Int64 = 1
        var tries = 0
        /// The rowid at which the first damage was encountered.
        var firstFailure: Int64?
        /// The rowid at which a pass from the end meets one from the start.
        var end: Int64?
        var isDamaged: Bool { firstFailure != nil }

        init(isAscending: Bool) {
            self.isAscending = isAscending
            next = isAscending ? .min : .max
        }

        /// Continues after a row. Returns false if there can be no further row.
        mutating func advance(past rowID: Int64) -> Bool {
            step = 1
            return move(from: rowID, by: 1)
        }

        /// Continues after an unreadable row, doubling the distance each time. Returns false at the
        /// end.
        mutating func skip() -> Bool {
            if firstFailure == nil { firstFailure = next }
            tries += 1
            guard tries < TableSalvage.maximumTries, next != .max else { return false }
            // Rowids usually start at 1.
            if next == .min { next = 0 }
            defer { step = step.multipliedReportingOverflow(by: 2).partialValue }
            return step > 0 && move(from: next, by: step)
        }

        private mutating func move(from position: Int64, by step: Int64) -> Bool {
            let (moved, isOver) =
                isAscending
                ? position.addingReportingOverflow(step)
                : position.subtractingReportingOverflow(step)
            next = moved
            return !isOver
        }

        func isInOrder(_ rowID: Int64) -> Bool { isAscending ? rowID >= next : rowID <= next }
    }

    private func pass(
        _ table: StoreTable, _ pass: inout Pass
    ) throws {
        repeat {
            try Task.checkCancellation()
            var isDone = false
            _ = try tolerating {
                try read(table, &pass)
                isDone = true
            }
            if isDone { return }
        } while pass.skip()
    }

    /// Reads rows to the end, or until SQLite fails.
    private func read(
        _ table: StoreTable, _ pass: inout Pass
    ) throws {
        let order = pass.isAscending ? (">=", "ASC") : ("<=", "DESC")
        let statement = try context.prepare(
            sql: """
                SELECT rowid, \(columns(of: table)) FROM \(table.name.sqlName) NOT INDEXED
                WHERE rowid \(order.0) ? ORDER BY rowid \(order.1)
                """)
        try statement.bind(pass.next, at: 1)
        while try statement.next() {
            try Task.checkCancellation()
            let rowID = statement.long(at: 0)
            // A damaged tree with a cycle would never end.
            guard pass.isInOrder(rowID) else {
                throw SQLError(code: .corrupt, message: "rows are out of order")
            }
            if let end = pass.end, rowID < end { return }
            try put(SalvagedRow(statement, from: 1), table)
            guard pass.advance(past: rowID) else { return }
        }
    }

    private func columns(of table: StoreTable) -> String {
        ["key", "sequence", "flags", "version", "body", "expiration", "extra"].map {
            table.columns.contains($0) ? $0 : "NULL"
        }.joined(separator: ", ")
    }

    private func put(
        _ row: SalvagedRow?, _ table: StoreTable
    ) throws {
        guard let row else { return report.lose("its key is not a string", store: table.store) }
        if let flaw = RowCheck.flaw(row, in: table.store) {
            return report.lose(flaw, store: table.store, key: row.key)
        }
        do {
            _ = try target.put(row, in: table.store, keepsBoth: true)
        } catch {
            throw TargetFailure(reason: error)
        }
    }

    /// Notes keys without a row as losses: the index on the keys may be intact where the table is
    /// not. Losses of rows that are found later are removed again.
    private func noteKeys(
        _ table: StoreTable, ascending: Bool
    ) throws {
        let index = "sqlite_autoindex_\(table.name)_1".sqlName
        _ = try tolerating {
            let statement = try context.prepare(
                sql: "SELECT key FROM \(table.name.sqlName) INDEXED BY \(index) "
                    + "WHERE key NOT NULL ORDER BY key \(ascending ? "ASC" : "DESC")")
            var last: String?
            while try statement.next() {
                guard let key = statement.text(at: 0) else { continue }
                guard last.map({ Self.isBefore($0, key) == ascending }) ?? true else {
                    throw SQLError(code: .corrupt, message: "keys are out of order")
                }
                last = key
                if try !target.has(key, in: table.store) {
                    report.lose("its row is on a damaged page", store: table.store, key: key)
                }
            }
        }
    }

    /// Compares bytes, as SQLite does for keys.
    private static func isBefore(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
