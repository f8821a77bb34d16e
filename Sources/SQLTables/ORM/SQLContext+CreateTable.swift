public import SQLCore

extension SQLContext {
    /// Creates the table and the indexes of a type, unless they exist.
    ///
    /// ```swift
    /// try database.createTableIfNotExists(Team.self)
    /// try database.createTableIfNotExists(Player.self)
    /// ```
    /// An existing table is left unchanged, even if its columns differ from the declaration: use
    /// ``migrate(named:downgrade:)`` to change a table that has been released.
    ///
    /// - Parameters:
    ///   - type: The type whose table is created.
    ///   - schema: The attached database in which it is created; nil for `main`.
    /// - Throws: `SQLError`, for example `.readOnly`.
    public func createTableIfNotExists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil
    ) throws {
        try createTableIfNotExists(T.table, inSchema: schema)
    }

    /// Creates a table and its indexes, unless they exist, in one transaction.
    ///
    /// - Parameters:
    ///   - table: The declaration, which need not belong to a type.
    ///   - schema: The attached database in which it is created; nil for `main`.
    /// - Throws: `SQLError`, for example `.readOnly`; `.error` if the declaration is invalid.
    public func createTableIfNotExists(_ table: SQLTable, inSchema schema: String? = nil) throws {
        try transaction(.immediate) {
            for statement in table.createTableSQL(inSchema: schema, ifNotExists: true) {
                try exec(statement)
            }
        }
    }

    /// Returns whether the table of a type exists. Its columns are not compared; see
    /// ``columns(for:in:)``.
    public func tableExists<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil
    ) throws -> Bool {
        try tableExists(T.table.name, inSchema: schema)
    }

    /// Adds a column, its foreign key and its indexes to a table, unless the table has the column.
    ///
    /// It suits a migration that can run on files in different states:
    ///
    /// ```swift
    /// let email = SQLColumn(name: "EMAIL", type: .text, unique: true)
    /// let isAdded = try database.addColumnIfNotExists(email, to: Player.table)
    /// ```
    /// Existing rows get the default value, or null; they are not rewritten.
    ///
    /// - Parameters:
    ///   - column: The column. Its name is compared without regard to letter case.
    ///   - table: The table, which must exist.
    ///   - schema: The attached database that contains the table.
    /// - Returns: Whether the column was added.
    /// - Throws: `SQLError` with `.error` for a `NOT NULL` column without a default and a stored
    ///   generated column if the table has rows, and for a key column.
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

    /// Adds a column to the table of a type, unless the table has the column.
    ///
    /// ```swift
    /// try database.addColumnIfNotExists(Player.joined, to: Player.self)
    /// ```
    /// - Returns: Whether the column was added.
    /// - Throws: `SQLError`, as the method with a table does.
    @discardableResult
    public func addColumnIfNotExists<T: SQLCodable>(
        _ column: SQLColumn, to type: T.Type, inSchema schema: String? = nil
    ) throws -> Bool {
        try addColumnIfNotExists(column, to: T.table, inSchema: schema)
    }
}

extension SQLTable {
    /// The position of the column that is the rowid: the only key, declared `INTEGER PRIMARY KEY`.
    var rowIDPosition: Int? {
        let keys = declaration.keyPositions
        guard let key = keys.first, keys.count == 1, !options.contains(.withoutRowID),
            columns[key].type == .long
        else { return nil }
        guard let definition = columns[key].columnDefinition?.uppercased() else { return key }
        // With DESC after it, it is not the rowid: an old bug that SQLite preserves.
        let isRowID =
            definition.hasPrefix("INTEGER PRIMARY KEY")
            && !definition.hasPrefix("INTEGER PRIMARY KEY DESC")
        return isRowID ? key : nil
    }

    /// The rows with one of these keys: `=` or `IN` for a key of one column; row values for a key
    /// of several columns, or comparisons before SQLite 3.39.
    func keyPredicate(
        _ keys: [[SQLValue]], inVersion version: Int = SQLContext.versionNumber
    ) throws -> SQLPredicate {
        _ = try requireKeys()
        let columns = primaryKeyColumns
        for key in keys { try checkKeyCount(key) }
        if columns.count == 1, let column = columns.first, keys.count > 1 {
            return .in(column, keys.flatMap { $0 })
        }
        if keys.count == 1 || version < SQLiteFeature.rowValueInSyntax.minimumVersion {
            // A null key matches nothing, as in any comparison with null.
            return .or(
                keys.map { key in .and(zip(columns, key).map { .compare($0, .equals, $1) }) })
        }
        return .in(SQLTuple(columns), keys.map { SQLTuple($0) })
    }

    func checkKeyCount(_ key: [SQLValue]) throws {
        guard key.count == declaration.keyPositions.count else {
            throw SQLBindingError.columnValuesMismatch(
                columns: primaryKeyColumns.map(\.name), valueCount: key.count)
        }
    }
}
