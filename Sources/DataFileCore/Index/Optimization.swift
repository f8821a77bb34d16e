internal import SQLCore
internal import StoreFormat

/// Gathers the planner statistics from which SQLite chooses among indexes.
enum Optimization {
    /// How many rows of an index are sampled: enough to choose by, and fast.
    static let analysisLimit = 400

    /// Updates the statistics of the tables for which they are out of date. `PRAGMA optimize`
    static func optimize(_ context: SQLContext) throws {
        try context.exec(sql: "PRAGMA analysis_limit=\(analysisLimit); PRAGMA optimize")
    }

    /// Updates the statistics of all tables. `ANALYZE`
    ///
    /// - Parameter isThorough: whether to read all rows instead of a sample.
    static func analyze(_ context: SQLContext, isThorough: Bool = false) throws {
        try context.exec(
            sql: "PRAGMA analysis_limit=\(isThorough ? 0 : analysisLimit); ANALYZE")
    }

    /// Updates the statistics of some stores. `ANALYZE`
    static func analyze(_ stores: [KeyStoreName], _ context: SQLContext) throws {
        try context.exec(sql: "PRAGMA analysis_limit=\(analysisLimit)")
        for table in try StoreTable.all(in: context) where stores.contains(table.store) {
            try context.checkCancellation()
            try context.exec(sql: "ANALYZE \(table.name.sqlName)")
        }
    }
}

/// Decides when a store's statistics are updated: after many changes, and after the creation of an
/// index.
///
/// SQLite's own rule requires that the connection has used an index, and applies only when the
/// connection closes.
struct AnalysisPolicy {
    /// The number of added, changed and removed rows after which statistics are updated.
    static let bulkRows = 10_000

    private var changedRows: [KeyStoreName: Int] = [:]
    private var due: Set<KeyStoreName> = []

    /// Counts the changed rows of a committed transaction.
    mutating func noteBulkChange(rows: Int, in store: KeyStoreName) {
        hasChanges = true
        let all = changedRows[store, default: 0] + max(rows, 0)
        changedRows[store] = all
        if all >= Self.bulkRows { due.insert(store) }
    }

    /// Notes that an index was created on a store.
    mutating func noteNewIndex(on store: KeyStoreName) {
        due.insert(store)
    }

    /// Whether the statistics of any store are due for an update.
    var isDue: Bool { !due.isEmpty }

    /// Whether anything has changed since the file was opened.
    private(set) var hasChanges = false

    /// Takes the stores whose statistics are due, and resets their counts.
    mutating func takeDue() -> [KeyStoreName] {
        defer { due = [] }
        for store in due { changedRows[store] = nil }
        return due.sorted { $0.rawName < $1.rawName }
    }
}

/// Rebuilds all of SQLite's indexes.
enum Reindexing {
    /// Runs in one transaction: if it fails or is cancelled, nothing has changed.
    static func run(_ context: SQLContext, path: String) throws {
        try context.checkCancellation()
        try context.transaction(.immediate) {
            try MissingFunction.explaining("reindexed", context, path: path) {
                try context.exec(sql: "REINDEX")
            }
            try CollationVersions.noteAll(in: context, path: path)
        }
    }
}

/// The error for a task that needs a function, collation or module of the program that created the
/// indexes.
///
/// When SQLite rebuilds or compares indexes, it evaluates all expressions of the table's indexes
/// for each row, which is impossible without the functions.
enum MissingFunction {
    /// Runs `body`. If a function is missing, throws `.unsupported` and names the indexes that use
    /// it.
    static func explaining<T>(
        _ task: String, _ context: SQLContext, path: String, _ body: () throws -> T
    ) throws -> T {
        do {
            return try body()
        } catch let error as SQLError {
            guard let name = error.missingName else { throw error }
            let owners = (try? owners(of: name, context)) ?? []
            let list = owners.isEmpty ? "" : " (\(owners.joined(separator: ", ")))"
            throw StoreError(
                .unsupported,
                "\(path) cannot be \(task): its indexes\(list) use \(name), which this version "
                    + "does not have; nothing was changed", underlying: error)
        }
    }

    /// Up to five of the indexes and tables whose SQL contains a name.
    static func owners(of name: String, _ context: SQLContext) throws -> [String] {
        try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE type<>'trigger' AND instr(sql, ?) > 0 "
                + "ORDER BY name LIMIT 5", parameters: [.text(name)]
        ).compactMap(\.first?.textValue)
    }
}
