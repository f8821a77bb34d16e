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

/// Makes indexes anew.
enum Reindexing {
    /// In one transaction: cancelled or failed, all is as before.
    static func run(_ context: SQLContext, path: String) throws {
        try context.checkCancellation()
        try context.transaction(.immediate) {
            try MissingFunction.explaining("indexed anew", context, path: path) {
                try context.exec(sql: "REINDEX")
            }
            try TextOrders.noteAll(in: context, path: path)
        }
    }
}
