package import SQLCore

/// Statements and names on a connection that need no session.
extension SQLContext {
    /// Runs a statement and hands each row to `row`.
    ///
    /// It is compiled each time. Texts that hold a name from the file must be: those that are kept
    /// are found by their text, and Swift takes some different names for equal.
    package func forEach(
        _ sql: String, _ parameters: [SQLValue] = [], row: (SQLStatement) throws -> Void
    ) throws {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        while try statement.next() { try row(statement) }
    }

    /// Runs a statement to its end and returns how many rows the latest one changed.
    @discardableResult
    package func run(_ sql: String, _ parameters: [SQLValue] = []) throws -> Int {
        try forEach(sql, parameters) { _ in }
        return changes
    }

    /// The first row, as `row` reads it; nil if there is none.
    package func first<T>(
        _ sql: String, _ parameters: [SQLValue] = [], row: (SQLStatement) throws -> T
    ) throws -> T? {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        return try statement.next() ? try row(statement) : nil
    }

    /// The names of a table's columns; nil if there is no table of this name, but perhaps a view.
    package func columns(ofTable table: String) throws -> Set<String>? {
        let isTable = try selectValue(sql: SchemaSQL.tableExists, parameters: [.text(table)])
        return try isTable.map { _ in try columns(ofRealTable: table) }
    }

    /// The names of the columns of a table that is known to be one, and no view; it takes as long
    /// however many tables there are.
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

    /// Throws `.notInTransaction` unless a transaction is open, which the caller begins and ends.
    package func requireTransaction(for purpose: String) throws {
        guard isInTransaction else {
            throw StoreError(.notInTransaction, "\(purpose) needs an open transaction")
        }
    }
}
