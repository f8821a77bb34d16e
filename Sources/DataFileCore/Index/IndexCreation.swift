internal import FleeceLite
internal import QueryLanguage
package import SQLCore
internal import StoreFormat

/// Makes the tables, triggers and the index that an index consists of, in the transaction of the
/// caller.
package struct IndexCreation {
    package let context: SQLContext
    package let progress: IndexProgressReport

    package init(context: SQLContext, progress: IndexProgressReport) {
        self.context = context
        self.progress = progress
    }

    /// How many rows are read by one statement: between two the progress is told.
    private static let rowsOfStep: Int64 = 10_000

    /// Makes what is missing.
    ///
    /// Throws `.invalidQuery` if SQLite does not take the index's expressions.
    package func run(_ schema: IndexSchema) throws {
        for table in schema.tables { try make(table) }
        if let index = schema.index { try make(index, schema.row.name) }
        try analyze(schema)
    }

    /// Makes a table with its rows and triggers; nothing if another index has made it.
    private func make(_ table: IndexTable) throws {
        if table.isShared, try isWhole(table) { return progress.finishStep() }
        // Other indexes of the table go with it, and what feeds the tables inside it.
        let indexes = try texts(SchemaSQL.indexesOfTable, of: table)
        let inner = try texts(SchemaSQL.triggersOfTable, of: table)
        if !inner.isEmpty { try context.exec(sql: "DELETE FROM main.\(table.name.sqlName)") }
        try IndexRemoval(context: context).drop(table: table.name)
        try wrapping(table.name) { try context.exec(sql: table.sql) }
        for trigger in inner { try context.exec(sql: trigger) }
        try fill(table)
        try wrapping(table.name) {
            for trigger in table.triggers { try context.exec(sql: trigger.sql) }
        }
        for index in indexes { try context.exec(sql: index) }
    }

    private func texts(_ sql: String, of table: IndexTable) throws -> [String] {
        var texts: [String] = []
        try context.forEach(sql, [.text(table.name)]) { row in
            if let text = row.text(at: 1) { texts.append(text) }
        }
        return texts
    }

    /// Whether the table is there, and is kept as this version would keep it.
    private func isWhole(_ table: IndexTable) throws -> Bool {
        let things = [(table.name, table.sql)] + table.triggers.map { ($0.name, $0.sql) }
        return try things.allSatisfy { try context.hasSchema($0, as: [$1]) }
    }

    /// Fills a table with what the rows of its source have, some thousands with each statement.
    func fill(_ table: IndexTable) throws {
        // First of all: what the triggers cannot do must be told also if there are no rows yet.
        let rows = try wrapping(table.name) { try context.prepare(sql: table.fill.sql) }
        // One subquery each: SQLite finds either at an end of the table, and both by reading all.
        let source = "FROM main.\(table.source)"
        let bounds = try context.first(
            "SELECT (SELECT min(rowid) \(source)), (SELECT max(rowid) \(source))"
        ) { $0.isNull(at: 0) ? nil : (first: $0.long(at: 0), last: $0.long(at: 1)) }
        guard let bounds = bounds ?? nil else { return progress.finishStep() }
        let following = try context.prepare(
            sql: "SELECT rowid FROM main.\(table.source) WHERE rowid > ? ORDER BY rowid LIMIT 1")
        var next: Int64? = bounds.first
        while let first = next {
            let (sum, isOver) = first.addingReportingOverflow(Self.rowsOfStep - 1)
            let last = isOver ? Int64.max : sum
            try rows.run([first, last])
            try progress.report(Double(last) - Double(bounds.first), of: bounds)
            next = try following.single(after: last)
        }
        progress.finishStep()
    }

    private func make(_ index: IndexSchema.SQLiteIndex, _ name: String) throws {
        let sql = index.sql(name)
        // One that nobody has registered is as good as new: SQLite itself keeps it.
        if try context.hasSchema(name, as: [sql, index.quotedSQL(name)]) {
            return progress.finishStep()
        }
        try wrapping(name) {
            try progress.watching(sql, rowsOf: index.table, in: context) {
                try context.exec(sql: sql)
            }
        }
        progress.finishStep()
    }

    /// Tells the planner how the new values are spread.
    private func analyze(_ schema: IndexSchema) throws {
        guard let table = schema.index?.table else { return }
        try context.exec(sql: "PRAGMA analysis_limit=\(Optimization.analysisLimit)")
        try context.exec(sql: "ANALYZE main.\(table.sqlName)")
    }

    /// What SQLite has against an expression is the caller's mistake.
    private func wrapping<T>(_ name: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError where error.code == .error {
            throw StoreError.invalidQuery(
                "the index \(name) cannot be made: \(error.message)", underlying: error)
        }
    }
}

extension SQLContext {
    /// Whether the schema has a thing of this name with one of these texts.
    package func hasSchema(_ name: String, as texts: [String]) throws -> Bool {
        let text = try first(SchemaSQL.textOfName, [.text(name)]) { $0.text(at: 0) ?? "" }
        return text.map { text in texts.contains { $0.hasSameBytes(as: text) } } ?? false
    }

    /// Whether a table has an index of this name.
    func hasIndex(_ name: String, on table: String) throws -> Bool {
        try first(SchemaSQL.indexExists, [.text(name), .text(table)]) { _ in true } ?? false
    }
}

extension SQLStatement {
    /// Runs a statement of two numbers to its end.
    fileprivate func run(_ numbers: [Int64]) throws {
        defer { reset() }
        for (index, number) in numbers.enumerated() { try bind(number, at: index + 1) }
        while try next() {}
    }

    fileprivate func single(after number: Int64) throws -> Int64? {
        defer { reset() }
        try bind(number, at: 1)
        return try next() ? long(at: 0) : nil
    }
}
