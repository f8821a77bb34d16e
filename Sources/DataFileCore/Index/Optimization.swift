internal import SQLCore
internal import StoreFormat

/// Tells SQLite how the values of its indexes are spread, from which it chooses among them.
enum Optimization {
    /// How many rows of an index are looked at: enough to choose by, and soon done.
    static let analysisLimit = 400

    /// Renews the figures of the tables for which they have become wrong. `PRAGMA optimize`
    static func optimize(_ context: SQLContext) throws {
        try context.exec(sql: "PRAGMA analysis_limit=\(analysisLimit); PRAGMA optimize")
    }

    /// Renews the figures of all tables. `ANALYZE`
    ///
    /// - Parameter isThorough: whether all rows are looked at.
    static func analyze(_ context: SQLContext, isThorough: Bool = false) throws {
        try context.exec(
            sql: "PRAGMA analysis_limit=\(isThorough ? 0 : analysisLimit); ANALYZE")
    }

    /// Renews the figures of some stores. `ANALYZE`
    static func analyze(_ stores: [KeyStoreName], _ context: SQLContext) throws {
        try context.exec(sql: "PRAGMA analysis_limit=\(analysisLimit)")
        for table in try StoreTable.all(in: context) where stores.contains(table.store) {
            try context.checkCancellation()
            try context.exec(sql: "ANALYZE \(table.name.sqlName)")
        }
    }
}

/// When the figures about a store have to be renewed: after many changes, and when it has got an
/// index.
///
/// SQLite's own rule needs the connection to have used an index, and looks only when it closes.
struct AnalysisPolicy {
    /// After so many rows that were added, changed or removed.
    static let bulkRows = 10_000

    private var changedRows: [KeyStoreName: Int] = [:]
    private var due: Set<KeyStoreName> = []

    /// Counts rows of a transaction that was committed.
    mutating func noteBulkChange(rows: Int, in store: KeyStoreName) {
        hasChanges = true
        let all = changedRows[store, default: 0] + max(rows, 0)
        changedRows[store] = all
        if all >= Self.bulkRows { due.insert(store) }
    }

    /// A store has got an index.
    mutating func noteNewIndex(on store: KeyStoreName) {
        due.insert(store)
    }

    /// Whether it is time for any.
    var isDue: Bool { !due.isEmpty }

    /// Whether anything was changed since it was opened.
    private(set) var hasChanges = false

    /// The stores for which it is time, which count as done from then on.
    mutating func takeDue() -> [KeyStoreName] {
        defer { due = [] }
        for store in due { changedRows[store] = nil }
        return due.sorted { $0.rawName < $1.rawName }
    }
}

/// Makes indexes again.
enum Reindexing {
    /// In one transaction: cancelled or failed, all is as before.
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

/// What to say when a task needs a function, collation or module that only the program has that
/// made the indexes.
///
/// SQLite reads a row through all expressions of its table's indexes when it rebuilds or compares
/// them: without the functions it can do neither.
enum MissingFunction {
    /// Runs `body`; where a function is missing, throws `.unsupported` and says which indexes are
    /// in the way of what was to be done.
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

    /// Some of the indexes, tables and triggers whose text has a name in it.
    static func owners(of name: String, _ context: SQLContext) throws -> [String] {
        try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE type<>'trigger' AND instr(sql, ?) > 0 "
                + "ORDER BY name LIMIT 5", parameters: [.text(name)]
        ).compactMap(\.first?.textValue)
    }
}
