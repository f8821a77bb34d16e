internal import SQLCore
internal import StoreFormat

/// How far the making of an index has come.
public struct IndexProgress: Sendable {
    /// From 0 to 1; never goes back.
    public let fraction: Double
}

/// Tells a caller how far an index is, and ends it when the caller has had enough.
package final class IndexProgressReport {
    private let body: ((IndexProgress) -> Bool)?
    private let steps: Double
    private var done = 0.0
    private var told = 0.0

    /// - Parameter steps: how many tables and indexes are to be made.
    package init(steps: Int, _ body: ((IndexProgress) -> Bool)?) {
        self.steps = Double(max(steps, 1))
        self.body = body
    }

    /// A table or index is made.
    func finishStep() { done += 1 }

    /// So many rows of a table's are read.
    ///
    /// Throws `CancellationError` if the caller does not want any more.
    func report(_ rows: Double, of bounds: (first: Int64, last: Int64)) throws {
        let all = Double(bounds.last) - Double(bounds.first) + 1
        guard tell(min(rows / all, 1)) else { throw CancellationError() }
    }

    /// Runs `body`, which makes an index by one statement, and tells of it meanwhile: by how many
    /// of the operations are done that SQLite's plan has for each row.
    func watching(
        _ sql: String, rowsOf table: String, in context: SQLContext, _ body: () throws -> Void
    ) throws {
        guard self.body != nil else { return try body() }
        let rows = try context.selectValue(sql: "SELECT count(*) FROM main.\(table.sqlName)")
        let all = Double(rows?.longValue ?? 0) * Double(try Self.operationsPerRow(sql, context))
        var operations = 0.0
        var isWanted = true
        do {
            try context.withProgress {
                operations += Double($0)
                isWanted = self.tell(min(operations / max(all, 1), 1))
                return isWanted
            } body: {
                try body()
            }
        } catch let error as SQLError where .interrupted ~= error.code && !isWanted {
            throw CancellationError()
        }
    }

    /// The making is done.
    func finish() {
        done = steps
        _ = tell(0)
    }

    private func tell(_ partOfStep: Double) -> Bool {
        told = max(told, min((done + partOfStep) / steps, 1))
        return body?(IndexProgress(fraction: told)) ?? true
    }

    /// How many operations the loops of a statement have: one that goes back ends a loop.
    private static func operationsPerRow(_ sql: String, _ context: SQLContext) throws -> Int64 {
        var count: Int64 = 0
        try context.forEach("EXPLAIN " + sql) { row in
            let isLoopEnd = ["Next", "SorterNext"].contains(row.text(at: 1) ?? "")
            if isLoopEnd { count += max(row.long(at: 0) - row.long(at: 3) + 1, 0) }
        }
        return max(count, 1)
    }
}
