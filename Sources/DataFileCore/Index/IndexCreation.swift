internal import FleeceLite
internal import QueryLanguage
package import SQLCore
internal import StoreFormat

/// Creates the tables, triggers and the SQLite index of an index, in the caller's transaction.
package struct IndexCreation {
    package let context: SQLContext
    package let progress: IndexProgressReport

    package init(context: SQLContext, progress: IndexProgressReport) {
        self.context = context
        self.progress = progress
    }

    /// The number of rows that one statement reads. Progress is reported after each.
    private static let rowsOfStep: Int64 = 10_000

    /// Creates what is missing.
    ///
    /// Throws `.invalidQuery` if SQLite rejects the index's expressions.
    package func run(_ schema: IndexSchema) throws {
        for table in schema.otherTables {
            try IndexRemoval(context: context).drop(table: table.name)
            try context.exec(sql: table.sql)
        }
        for table in schema.tables { try create(table) }
        if let index = schema.index { try create(index, schema.row.name) }
        try analyze(schema)
    }

    /// Creates a table with its rows and triggers, unless another index has created it already.
    private func create(_ table: IndexTable) throws {
        if table.isShared, try isWhole(table) { return progress.finishStep() }
        // Dropping the table drops its other indexes and the triggers that fill inner tables.
        let indexes = try statements(SchemaSQL.indexesOfTable, of: table)
        let inner = try statements(SchemaSQL.triggersOfTable, of: table)
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

    private func statements(_ sql: String, of table: IndexTable) throws -> [String] {
        var statements: [String] = []
        try context.forEach(sql, [.text(table.name)]) { row in
            if let text = row.text(at: 1) { statements.append(text) }
        }
        return statements
    }

    /// Whether the table exists, with the triggers that this version would create.
    private func isWhole(_ table: IndexTable) throws -> Bool {
        let things = [(table.name, table.sql)] + table.triggers.map { ($0.name, $0.sql) }
        return try things.allSatisfy { try context.hasSchema($0, as: [$1]) }
    }

    /// Fills a table from the rows of its source, some thousands with each statement.
    func fill(_ table: IndexTable) throws {
        // Compiled first: what triggers cannot do must be reported even if there are no rows yet.
        let rows = try wrapping(table.name) { try context.prepare(sql: table.fill.sql) }
        // A subquery each: SQLite finds either at an end of the table, but both by a full scan.
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

    private func create(_ index: IndexSchema.SQLiteIndex, _ name: String) throws {
        let sql = index.sql(name)
        // An unregistered index is as good as a new one, since SQLite itself maintains it.
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

    /// Gathers the planner's statistics of the new index.
    private func analyze(_ schema: IndexSchema) throws {
        guard let table = schema.index?.table else { return }
        try context.exec(sql: "PRAGMA analysis_limit=\(Optimization.analysisLimit)")
        try context.exec(sql: "ANALYZE main.\(table.sqlName)")
    }

    /// Reports an expression that SQLite rejects as the caller's error.
    private func wrapping<T>(_ name: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLError where error.code == .error {
            throw StoreError.invalidQuery(
                "the index \(name) cannot be created: \(error.message)", underlying: error)
        }
    }
}

extension SQLContext {
    /// Whether the schema has an object with this name and one of these SQL statements.
    package func hasSchema(_ name: String, as statements: [String]) throws -> Bool {
        let text = try first(SchemaSQL.textOfName, [.text(name)]) { $0.text(at: 0) ?? "" }
        return text.map { text in statements.contains { $0.hasSameBytes(as: text) } } ?? false
    }

    /// Whether a table has an index with this name.
    func hasIndex(_ name: String, on table: String) throws -> Bool {
        try first(SchemaSQL.indexExists, [.text(name), .text(table)]) { _ in true } ?? false
    }
}

extension SQLStatement {
    /// Runs a statement with integer parameters to completion.
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
