internal import Foundation
internal import SQLCore
internal import SQLTables

/// A database of OONI Probe, read in one transaction.
struct ProbeDatabase {
    /// The version of its schema.
    let version: Int
    private let context: SQLContext
    private let path: String
    /// The columns of each existing table, in lower case.
    private var columns: [OONIStore.ImportReport.Table: Set<String>] = [:]

    /// The supported versions of the schema.
    static let versions = 5...21

    init(path: String) throws {
        (context, version, columns) = try Self.reading(path) {
            let context = try SQLContext(path: path, flags: .readOnly)
            try context.setDefensive(true)
            try context.setBusyTimeout(milliseconds: 5_000)
            try context.exec(sql: "BEGIN")
            let version = Int(
                try context.selectValue(sql: "PRAGMA user_version")?.longValue ?? 0)
            return (context, version, try Self.columns(in: context))
        }
        self.path = path
        try requireWholePages()
        try requireTables()
        try requireVersion()
    }

    private static func columns(
        in context: SQLContext
    ) throws -> [OONIStore.ImportReport.Table: Set<String>] {
        var columns: [OONIStore.ImportReport.Table: Set<String>] = [:]
        for table in OONIStore.ImportReport.Table.allCases {
            guard try context.tableExists(table.rawValue) else { continue }
            columns[table] = Set(
                try context.columns(for: table.rawValue).map { $0.name.lowercased() })
        }
        return columns
    }

    /// SQLite reads missing bytes of the last page as zeros.
    private func requireWholePages() throws {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
        let page = try Self.reading(path) {
            try context.selectValue(sql: "PRAGMA page_size")?.longValue ?? 0
        }
        guard page > 0, size % page == 0 else {
            throw error("it is damaged or cut short; copy it again, with the app closed")
        }
    }

    private func requireTables() throws {
        let needed: [(OONIStore.ImportReport.Table, [String])] = [
            (.results, ["id", "start_time"]), (.measurements, ["id", "result_id", "test_name"]),
            (.networks, ["id"]), (.urls, ["id", "url"]), (.descriptors, ["runid"]),
        ]
        for (table, names) in needed {
            guard let known = columns[table] else {
                throw error(
                    "it has no table \(table.rawValue), so it is not a database of OONI Probe; "
                        + "specify the file in which the app stores its results")
            }
            if let missing = names.first(where: { !known.contains($0) }) {
                throw error(
                    "its table \(table.rawValue) has no column \(missing); open it with the app "
                        + "first, which brings it up to date")
            }
        }
    }

    private func requireVersion() throws {
        if version < Self.versions.lowerBound {
            throw error(
                "its version is \(version), and none before \(Self.versions.lowerBound) is read; "
                    + "open it with the app first, which brings it up to date")
        }
        if version > Self.versions.upperBound {
            throw error(
                "its version is \(version), and this library knows none after "
                    + "\(Self.versions.upperBound); use a newer one")
        }
    }
}

// Reading rows.
extension ProbeDatabase {
    /// The number of rows of a table; 0 if it does not exist.
    func count(_ table: OONIStore.ImportReport.Table) throws -> Int {
        guard columns[table] != nil else { return 0 }
        return try Self.reading(path) {
            let count = try context.selectValue(sql: "SELECT count(*) FROM \(table.rawValue)")
            return Int(count?.longValue ?? 0)
        }
    }

    /// The highest number below a bound that a table has assigned, including to deleted rows.
    func highest(_ table: OONIStore.ImportReport.Table, below bound: Int64) throws -> Int64 {
        try Self.reading(path) {
            let row = try context.selectValue(
                sql: "SELECT max(id) FROM \(table.rawValue) WHERE id < ?",
                parameters: [.long(bound)])
            guard try context.tableExists("sqlite_sequence") else { return row?.longValue ?? 0 }
            let given = try context.selectValue(
                sql: "SELECT max(seq) FROM sqlite_sequence WHERE name = ? AND seq < ?",
                parameters: [.text(table.rawValue), .long(bound)])
            return max(row?.longValue ?? 0, given?.longValue ?? 0)
        }
    }

    /// Iterates over a table in the order of its first column; columns that its version does not
    /// have are NULL.
    func forEach<Columns: ProbeColumns>(
        _ type: Columns.Type, _ body: (ProbeRow<Columns>) throws -> Void
    ) throws {
        guard let known = columns[Columns.table] else { return }
        let names = Columns.names.map { alternatives in
            alternatives.first { known.contains($0.lowercased()) } ?? "NULL"
        }
        let statement = try Self.reading(path) {
            try context.prepare(
                sql: "SELECT \(names.joined(separator: ", ")) FROM \(Columns.table.rawValue) "
                    + "ORDER BY 1")
        }
        defer { statement.close() }
        let row = ProbeRow<Columns>(statement: statement)
        while try Self.reading(path, { try statement.next() }) {
            row.begin()
            try body(row)
        }
    }

    /// Converts errors of SQLite into errors that explain what to do.
    private static func reading<T>(_ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            throw Self.error(path, advice(error))
        }
    }

    private static func advice(_ error: SQLError) -> String {
        switch error.code.primary {
        case .cannotOpen:
            "it cannot be opened (\(error)); check that it exists and is readable and, if a "
                + "file with -wal is next to it, that its directory is writable"
        case .notADatabase: "it is not an SQLite database (\(error)), or an encrypted one"
        case .corrupt, .inputOutput:
            "it is damaged or cut short (\(error)); copy it again, with the app closed, or recover "
                + "it with SQLite's .recover first"
        case .readOnly:
            "the app was interrupted while it wrote (\(error)); open it with the app once"
        case .busy, .locked: "another program is writing it (\(error)); close that first"
        default: "\(error)"
        }
    }

    private func error(_ reason: String) -> OONIStoreError { Self.error(path, reason) }

    private static func error(_ path: String, _ reason: String) -> OONIStoreError {
        OONIStoreError(.notReadable, "\"\(path)\" was not imported: \(reason)")
    }
}
