public import SQLCore

extension SQLContext {
    /// Creates the table and the indexes of a type, unless there are any of their names.
    public func createTableIfNotExists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil
    ) throws {
        try createTableIfNotExists(T.table, inSchema: schema)
    }

    /// The same for a table without a type.
    public func createTableIfNotExists(_ table: SQLTable, inSchema schema: String? = nil) throws {
        try transaction(.immediate) {
            for statement in table.createTableSQL(inSchema: schema, ifNotExists: true) {
                try exec(statement)
            }
        }
    }

    /// Whether the table of a type exists.
    public func tableExists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil
    ) throws -> Bool {
        try tableExists(T.table.name, inSchema: schema)
    }

    /// Adds a column, its reference and its indexes to a table that does not have it yet.
    ///
    /// Returns whether it was added. SQLite refuses a `NOT NULL` column without a default and a
    /// generated one that is stored if the table has rows, and a key column always.
    @discardableResult
    public func addColumnIfNotExists(
        _ column: SQLColumn, to table: SQLTable, inSchema schema: String? = nil
    ) throws -> Bool {
        let name = column.name.lowercased()
        let present = try columns(for: table.name, in: schema)
        if present.contains(where: { $0.name.lowercased() == name }) { return false }
        try transaction(.immediate) {
            for statement in table.addColumnSQL(column, inSchema: schema) { try exec(statement) }
        }
        return true
    }

    /// The same for the table of a type.
    @discardableResult
    public func addColumnIfNotExists<T: SQLCodable>(
        _ column: SQLColumn, to type: T.Type, inSchema schema: String? = nil
    ) throws -> Bool {
        try addColumnIfNotExists(column, to: T.table, inSchema: schema)
    }
}
