internal import SQLCore

/// A line of what `EXPLAIN QUERY PLAN` says of a statement.
struct PlanLine {
    let id: Int64
    /// The line that it belongs to; 0 for none.
    let parent: Int64
    /// SQLite's words.
    let detail: String

    /// The plan of a statement, whose parameters have no values.
    static func lines(of sql: String, _ context: SQLContext) throws -> [PlanLine] {
        let plan = try context.prepare(sql: "EXPLAIN QUERY PLAN " + sql)
        defer { plan.close() }
        for index in 0..<plan.parameterCount { try plan.bindNull(at: index + 1) }
        var lines: [PlanLine] = []
        while try plan.next() {
            lines.append(
                PlanLine(
                    id: plan.long(at: 0), parent: plan.long(at: 1), detail: plan.text(at: 3) ?? ""))
        }
        return lines
    }
}
