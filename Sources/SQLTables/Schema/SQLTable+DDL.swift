internal import SQLCore

extension SQLTable {
    /// Returns `CREATE TABLE`, and a `CREATE INDEX` for each index.
    ///
    /// It does not run anything: use it to show the schema, or in a migration.
    ///
    /// ```swift
    /// for statement in Player.table.createTableSQL(ifNotExists: true) {
    ///     try database.exec(statement)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - schema: the attached database, such as `main`.
    ///   - ifNotExists: whether existing tables and indexes are left unchanged.
    ///   - withIndexes: false leaves out the indexes.
    ///   - columns: a subset of the columns; nil for all.
    ///   - additionalClauses: constraints that are written after all others.
    /// - Returns: `CREATE TABLE`, followed by the indexes of columns and of the table.
    public func createTableSQL(
        inSchema schema: String? = nil, ifNotExists: Bool = false, withIndexes: Bool = true,
        columns: [SQLColumn]? = nil, additionalClauses: [String] = []
    ) -> [SQLExpression] {
        let chosen = columns ?? self.columns
        let clauses = clauses(of: chosen) + additionalClauses
        let table =
            "CREATE TABLE " + (ifNotExists ? "IF NOT EXISTS " : "")
            + quotedName(inSchema: schema) + " (" + clauses.joined(separator: ", ") + ")"
            + optionsSQL
        guard withIndexes else { return [SQLExpression(table)] }
        return [SQLExpression(table)]
            + chosen.flatMap {
                createIndexSQL(for: $0, inSchema: schema, ifNotExists: ifNotExists)
            }
            + indexes.map {
                $0.createSQL(on: name, of: nil, inSchema: schema, ifNotExists: ifNotExists)
            }
    }

    /// Returns `CREATE INDEX` for the index that a column declares; empty if it declares none.
    ///
    /// ```swift
    /// for statement in Player.table.createIndexSQL(for: Player.name) {
    ///     try database.exec(statement)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - column: A column of the table.
    ///   - schema: The attached database, such as `main`.
    ///   - ifNotExists: Whether an existing index is left unchanged (default: false).
    public func createIndexSQL(
        for column: SQLColumn, inSchema schema: String? = nil, ifNotExists: Bool = false
    ) -> [SQLExpression] {
        guard let index = column.index else { return [] }
        return [
            index.createSQL(on: name, of: column, inSchema: schema, ifNotExists: ifNotExists)
        ]
    }

    /// Returns `DROP TABLE`, which also drops the table's indexes and triggers.
    ///
    /// If foreign keys are enabled, SQLite first deletes all rows, with the actions of foreign
    /// keys.
    ///
    /// - Parameters:
    ///   - schema: The attached database, such as `main`.
    ///   - ifExists: Whether a missing table is not an error (default: false).
    public func dropTableSQL(
        inSchema schema: String? = nil, ifExists: Bool = false
    ) -> SQLExpression {
        SQLExpression(
            "DROP TABLE " + (ifExists ? "IF EXISTS " : "") + quotedName(inSchema: schema))
    }

    /// Returns `ALTER TABLE … ADD COLUMN`, with its foreign key, and the indexes it needs.
    ///
    /// A unique column gets a unique index, since SQLite cannot add a column with that constraint.
    /// SQLite rejects a `NOT NULL` column without a default, and a stored generated column, in a
    /// table that has rows.
    ///
    /// `addColumnIfNotExists(_:to:inSchema:)` runs the statements in a transaction.
    ///
    /// - Parameters:
    ///   - column: The new column.
    ///   - schema: The attached database, such as `main`.
    public func addColumnSQL(
        _ column: SQLColumn, inSchema schema: String? = nil
    ) -> [SQLExpression] {
        var definition = column.definitionSQL(isOnlyKey: true, addingToTable: true)
        if let key = column.references { definition += " " + key.referencesSQL }
        let alter = "ALTER TABLE \(quotedName(inSchema: schema)) ADD COLUMN \(definition)"
        var result = [SQLExpression(alter)]
        if column.unique, column.columnDefinition == nil {
            let index = SQLIndex(name: "\(name)_\(column.name)_unique", unique: true)
            result.append(
                index.createSQL(on: name, of: column, inSchema: schema, ifNotExists: false))
        }
        return result + createIndexSQL(for: column, inSchema: schema)
    }

    /// Returns `ALTER TABLE … DROP COLUMN`, preceded by `DROP INDEX` for the column's own indexes.
    ///
    /// From SQLite 3.35. A key, or a column of a composite index, cannot be dropped.
    ///
    /// ```swift
    /// try database.transaction(.immediate) {
    ///     for statement in Player.table.dropColumnSQL(Player.joined) {
    ///         try database.exec(statement)
    ///     }
    /// }
    /// ```
    /// SQLite rewrites all rows of the table.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - schema: The attached database, such as `main`.
    public func dropColumnSQL(
        _ column: SQLColumn, inSchema schema: String? = nil
    ) -> [SQLExpression] {
        var names = column.index.map { [$0.name] } ?? []
        if column.unique { names.append("\(name)_\(column.name)_unique") }
        var statements = names.map {
            "DROP INDEX IF EXISTS " + qualifiedName($0, inSchema: schema)
        }
        statements.append(
            "ALTER TABLE \(quotedName(inSchema: schema)) DROP COLUMN \(column.quotedName)")
        return statements.map { SQLExpression($0) }
    }

    private func clauses(of columns: [SQLColumn]) -> [String] {
        let keys = columns.filter(\.primaryKey)
        var clauses = columns.map { $0.definitionSQL(isOnlyKey: keys.count == 1) }
        if keys.count > 1 {
            clauses.append("PRIMARY KEY(\(keys.map(\.quotedName).joined(separator: ", ")))")
        }
        clauses += columns.compactMap { column in
            column.references?.constraintSQL(of: column)
        }
        clauses += foreignKeys.map { $0.constraintSQL() }
        clauses += checks.map { "CHECK (\($0.literal))" }
        return clauses
    }

    private var optionsSQL: String {
        let names =
            (options.contains(.strict) ? ["STRICT"] : [])
            + (options.contains(.withoutRowID) ? ["WITHOUT ROWID"] : [])
        return names.isEmpty ? "" : " " + names.joined(separator: ", ")
    }
}

extension SQLColumn {
    /// Name, type, `GENERATED`, key, `UNIQUE`, `NOT NULL` and `DEFAULT`, in this order.
    fileprivate func definitionSQL(isOnlyKey: Bool, addingToTable: Bool = false) -> String {
        if let columnDefinition { return "\(quotedName) \(columnDefinition)" }
        var words = [quotedName, type.typeName]
        if let generated { words.append(generated.definitionSQL) }
        if primaryKey, isOnlyKey {
            words.append(autoincrement ? "PRIMARY KEY AUTOINCREMENT" : "PRIMARY KEY")
        }
        if unique, !addingToTable { words.append("UNIQUE") }
        if !nullable { words.append("NOT NULL") }
        if !defaultValue.isNull { words.append("DEFAULT \(defaultLiteral)") }
        return words.joined(separator: " ")
    }

    /// A literal without parentheses; anything longer, such as a cast, in parentheses.
    private var defaultLiteral: String {
        let literal = defaultValue.literalValue
        return literal.hasPrefix("CAST") ? "(\(literal))" : literal
    }
}
