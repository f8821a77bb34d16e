internal import SQLCore
internal import StoreFormat

/// The progress of creating or rebuilding an index.
///
/// The handler is called periodically on the thread of the transaction. It returns false to cancel,
/// which throws `CancellationError` and leaves nothing of the index. The transaction cannot be used
/// inside the handler.
///
/// ```swift
/// try file.write { transaction in
///     try people.createIndex(.value("byAge", on: "age"), in: transaction) { progress in
///         show("\(Int(progress.fraction * 100)) %")
///         return !Task.isCancelled
///     }
/// }
/// ```
///
/// See ``DocumentCollection/createIndex(_:in:progress:)`` and
/// ``DocumentCollection/rebuildIndex(_:in:progress:)``.
public struct IndexProgress: Sendable {
    /// The completed fraction, from 0 to 1. It never decreases, and is an estimate: of the rows
    /// that have been read, or of the operations that SQLite has executed.
    public let fraction: Double
}

/// Reports the progress of creating an index to a caller, who can cancel it.
package final class IndexProgressReport {
    private let body: ((IndexProgress) -> Bool)?
    private let steps: Double
    private var done = 0.0
    private var reported = 0.0

    /// - Parameter steps: the number of tables and indexes to create.
    package init(steps: Int, _ body: ((IndexProgress) -> Bool)?) {
        self.steps = Double(max(steps, 1))
        self.body = body
    }

    /// Counts a table or index as created.
    func finishStep() { done += 1 }

    /// Reports that some rows of a table have been read.
    ///
    /// Throws `CancellationError` if the caller cancels.
    func report(_ rows: Double, of bounds: (first: Int64, last: Int64)) throws {
        let all = Double(bounds.last) - Double(bounds.first) + 1
        guard report(part: min(rows / all, 1)) else { throw CancellationError() }
    }

    /// Runs `body`, which creates an index by one statement, and reports progress meanwhile: the
    /// ratio of the executed operations to those that SQLite's plan needs for all rows.
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
                isWanted = self.report(part: min(operations / max(all, 1), 1))
                return isWanted
            } body: {
                try body()
            }
        } catch let error as SQLError where .interrupted ~= error.code && !isWanted {
            throw CancellationError()
        }
    }

    /// Reports the index as created.
    func finish() {
        done = steps
        _ = report(part: 0)
    }

    private func report(part partOfStep: Double) -> Bool {
        reported = max(reported, min((done + partOfStep) / steps, 1))
        return body?(IndexProgress(fraction: reported)) ?? true
    }

    /// The number of operations in the loops of a statement. A backward jump ends a loop.
    private static func operationsPerRow(_ sql: String, _ context: SQLContext) throws -> Int64 {
        var count: Int64 = 0
        try context.forEach("EXPLAIN " + sql) { row in
            let isLoopEnd = ["Next", "SorterNext"].contains(row.text(at: 1) ?? "")
            if isLoopEnd { count += max(row.long(at: 0) - row.long(at: 3) + 1, 0) }
        }
        return max(count, 1)
    }
}
