package import SQLCore

/// Statements and names on a connection without a session.
extension SQLContext {
    /// Runs a statement and calls `row` with each row.
    ///
    /// Compiles the statement each time, which is necessary for SQL text that contains a name from
    /// the file: the statement cache looks up statements by text, and Swift considers some
    /// different names equal.
    package func forEach(
        _ sql: String, _ parameters: [SQLValue] = [], row: (SQLStatement) throws -> Void
    ) throws {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        while try statement.next() { try row(statement) }
    }

    /// Runs a statement to completion; returns the number of rows that the latest one changed.
    @discardableResult
    package func run(_ sql: String, _ parameters: [SQLValue] = []) throws -> Int {
        try forEach(sql, parameters) { _ in }
        return changes
    }

    /// The first row, as `row` reads it; nil if there are no rows.
    package func first<T>(
        _ sql: String, _ parameters: [SQLValue] = [], row: (SQLStatement) throws -> T
    ) throws -> T? {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        return try statement.next() ? try row(statement) : nil
    }

    /// The names of a table's columns; nil if the table does not exist, or is a view.
    package func columns(ofTable table: String) throws -> Set<String>? {
        let isTable = try selectValue(sql: SchemaSQL.tableExists, parameters: [.text(table)])
        return try isTable.map { _ in try columns(ofRealTable: table) }
    }

    /// The names of the columns of a table that is known not to be a view; its cost does not depend
    /// on the number of tables.
    package func columns(ofRealTable table: String) throws -> Set<String> {
        try withStatement(sql: "SELECT name FROM pragma_table_info(?)") { statement in
            var columns: Set<String> = []
            try statement.bind(table, at: 1)
            while try statement.next() { columns.insert(statement.text(at: 0) ?? "") }
            return columns
        }
    }

    /// `PRAGMA user_version`
    package func schemaVersion() throws -> Int {
        Int(try pragma("user_version")?.longValue ?? 0)
    }

    /// Throws `.notInTransaction` unless the caller has a transaction open.
    package func requireTransaction(for purpose: String) throws {
        guard isInTransaction else {
            throw StoreError(.notInTransaction, "\(purpose) needs an open transaction")
        }
    }
}
