public import SQLCore

extension SQLContext {
    /// Inserts an instance, and returns it with the values that SQLite has filled in.
    ///
    /// Null columns are left out, so that they get their default values; so is an autoincremented
    /// key of 0, which SQLite assigns. If nothing was filled in, the same instance is returned;
    /// also if a trigger prevented the insertion, which `changes` shows by 0. Generated columns are
    /// not read back: use `refresh` for that.
    ///
    /// ```swift
    /// let ada = try database.insert(Player(name: "Ada"))
    /// use(ada.id, ada.score ?? 0)  // the assigned key, and the default of the column
    /// ```
    ///
    /// - Parameters:
    ///   - ob: the instance.
    ///   - schema: the attached database that contains the table.
    ///   - upsert: whether a row with the same primary key is overwritten, null columns included,
    ///     instead of causing an error (default: false). Conflicts of other unique columns remain
    ///     errors. Throws `SQLNotSupportedError` before SQLite 3.24.
    /// - Returns: The instance with its key and defaults.
    /// - Throws: `SQLError` with `.constraint` if a constraint is violated, such as
    ///   `.uniqueConstraint`; ``SQLBindingError/unknownColumn(_:)`` if the type sets a column that
    ///   its table does not have; ``SQLBindingError/noPrimaryKeys(_:)`` for an upsert into a table
    ///   without a key.
    @discardableResult
    public func insert<T: SQLCodable>(
        _ ob: T, inSchema schema: String? = nil, upsert: Bool = false
    ) throws -> T {
        let row = try ob.encodedRow()
        let inserter = try SQLInserter(
            context: self, table: T.table, schema: schema, upsert: upsert)
        try inserter.insert(row)
        // If no row was inserted, the last rowid is that of another row.
        guard changes > 0 else { return ob }
        return try completed(ob, row, supplied: inserter.supplied, inSchema: schema, upsert)
    }

    /// Inserts an instance, or overwrites the row with its primary key, including null columns.
    ///
    /// This is ``insert(_:inSchema:upsert:)`` with `upsert`. Conflicts of other unique columns are
    /// errors. Throws `SQLNotSupportedError` before SQLite 3.24.
    ///
    /// ```swift
    /// var ada = try database.insert(Player(name: "Ada"))
    /// ada.score = 12
    /// try database.upsert(ada)
    /// ```
    ///
    /// - Returns: The instance, with defaults if it was inserted.
    @discardableResult
    public func upsert<T: SQLCodable>(_ ob: T, inSchema schema: String? = nil) throws -> T {
        try insert(ob, inSchema: schema, upsert: true)
    }

    /// Inserts an instance, and replaces it with the inserted one.
    ///
    /// ```swift
    /// var ada = Player(name: "Ada")
    /// try database.inserted(&ada, refresh: true)
    /// ```
    ///
    /// - Parameters:
    ///   - ob: the instance.
    ///   - schema: the attached database that contains the table; nil for the first one that has
    ///     it.
    ///   - refresh: whether to read it back, with the effects of defaults and triggers.
    /// - Throws: The errors of ``insert(_:inSchema:upsert:)``; the instance is then unchanged.
    public func inserted<T: SQLCodable>(
        _ ob: inout T, inSchema schema: String? = nil, refresh: Bool = false
    ) throws {
        ob = try insert(ob, inSchema: schema)
        if refresh { try self.refresh(&ob, inSchema: schema) }
    }

    /// Inserts many instances in one transaction: all or, if one fails, none.
    ///
    /// The instances themselves are not updated: use ``insert(_:inSchema:upsert:)`` to get the
    /// assigned keys. If a transaction is open already, a savepoint is used. Rows that leave out
    /// the same columns share a prepared statement.
    ///
    /// It is the fastest way to insert many rows: one commit, and no instance is created again. The
    /// sequence is read once, so it can be lazy.
    ///
    /// ```swift
    /// let names = ["Ada", "Bob", "Cy"]
    /// try database.insertAll(names.lazy.map { Player(name: $0) })
    /// ```
    ///
    /// - Parameters:
    ///   - instances: the instances.
    ///   - schema: the attached database that contains the table.
    ///   - upsert: whether rows with the same primary keys are overwritten (default: false).
    /// - Throws: The error of the first instance that cannot be inserted, after a rollback.
    public func insertAll<T: SQLCodable>(
        _ instances: some Sequence<T>, inSchema schema: String? = nil, upsert: Bool = false
    ) throws {
        let inserter = try SQLInserter(
            context: self, table: T.table, schema: schema, upsert: upsert)
        var row = SQLRow(index: T.table.columnIndex)
        try transaction(.immediate) {
            for instance in instances {
                try instance.encode(into: &row)
                try inserter.insert(row)
            }
        }
    }

    /// The instance with the key that SQLite has assigned, and the defaults of its null columns.
    private func completed<T: SQLCodable>(
        _ ob: T, _ row: SQLRow, supplied: [Bool], inSchema schema: String?, _ upsert: Bool
    ) throws -> T {
        var row = row
        var isChanged = false
        for position in supplied.indices where !supplied[position] {
            let column = row.columns[position]
            if position == T.table.rowIDPosition {
                row.values[position] = .long(lastInsertRowID)
                isChanged = true
            } else if !column.defaultValue.isNull {
                row.values[position] = column.defaultValue
                isChanged = true
            }
        }
        guard isChanged else { return ob }
        // Only the table shows whether an upsert inserted, with defaults, or wrote nulls.
        let keys = T.table.declaration.keyPositions
        if upsert, keys.allSatisfy({ supplied[$0] }) {
            let values = keys.map { row.values[$0] }
            return try fetch(T.self, primaryKeys: values, inSchema: schema) ?? ob
        }
        return try T(row: row, context: self)
    }
}

extension SQLContext {
    /// Updates the row with an instance's primary key.
    ///
    /// All columns are written except the key and generated ones, nulls included. If there is no
    /// such row, nothing happens; `changes` is then 0. To insert a missing row, use
    /// ``upsert(_:inSchema:)``.
    ///
    /// ```swift
    /// if var ada = try database.fetch(Player.self, id: .long(7)) {
    ///     ada.score = (ada.score ?? 0) + 1
    ///     try database.update(ada)
    /// }
    /// ```
    /// To change single columns of several rows, use `exec(_:)` with an ``SQLExpression``.
    ///
    /// - Throws: ``SQLBindingError/noPrimaryKeys(_:)`` if the table has none; `SQLError` with
    ///   `.constraint` if a constraint is violated.
    public func update<T: SQLCodable>(_ ob: T, inSchema schema: String? = nil) throws {
        let row = try ob.encodedRow()
        let keys = try T.table.requireKeys()
        let others = T.table.declaration.writtenPositions.filter { !keys.contains($0) }
        guard !others.isEmpty else { return }
        let columns = T.table.columns
        let settings = others.map { columns[$0].quotedName + " = ?" }.joined(separator: ", ")
        let sql =
            "UPDATE " + T.table.quotedName(inSchema: schema) + " SET " + settings
            + T.table.whereKeySQL
        try withStatement(sql: sql) { statement in
            try statement.bind(parameters: (others + keys).map { row.values[$0] })
            while try statement.next() {}
        }
    }

    /// Reads an instance again by its primary key, including generated columns.
    ///
    /// ```swift
    /// var ada = player
    /// if try !database.refresh(&ada) { use("the player was deleted") }
    /// ```
    ///
    /// - Parameters:
    ///   - ob: the instance, which is replaced.
    ///   - schema: the attached database that contains the table.
    /// - Returns: false if the row no longer exists; the instance is then unchanged.
    ///
    /// Throws `.noPrimaryKeys` if the table has none.
    @discardableResult
    public func refresh<T: SQLCodable>(
        _ ob: inout T, inSchema schema: String? = nil
    ) throws -> Bool {
        let keys = try T.keyValues(of: ob.encodedRow())
        guard let found = try fetch(T.self, primaryKeys: keys, inSchema: schema) else {
            return false
        }
        ob = found
        return true
    }
}

extension SQLContext {
    /// Deletes the rows with the primary keys of these instances, all or none of them.
    ///
    /// Instances without a row are ignored. More than 500 instances are deleted by several
    /// statements in a transaction.
    ///
    /// ```swift
    /// let idle = try database.fetchAll(Player.self, where: Player.score.equals(.long(0)))
    /// try database.delete(instances: idle)
    /// ```
    /// - Throws: ``SQLBindingError/noPrimaryKeys(_:)`` if the table has none; `SQLError` with
    ///   `.constraint` if other rows refer to one of them.
    public func delete<T: SQLCodable>(
        instances: [T], inSchema schema: String? = nil
    ) throws {
        let rows = try instances.map { try T.keyValues(of: $0.encodedRow()) }
        if rows.count <= rowsPerDelete {
            return try delete(T.self, keys: rows[...], inSchema: schema)
        }
        try transaction(.immediate) {
            for start in stride(from: 0, to: rows.count, by: rowsPerDelete) {
                let part = rows[start..<Swift.min(start + rowsPerDelete, rows.count)]
                try delete(T.self, keys: part, inSchema: schema)
            }
        }
    }

    /// Deletes the rows that match a predicate. No instance is created.
    ///
    /// ```swift
    /// let count = try database.delete(Player.self, where: Player.team.isNull())
    /// ```
    /// - Parameters:
    ///   - type: The type whose rows are deleted.
    ///   - schema: The attached database that contains the table.
    ///   - predicate: The condition for the rows; nil deletes all rows.
    /// - Returns: The number of deleted rows, without those that foreign key actions delete.
    /// - Throws: `SQLError` with `.constraint` if other rows refer to one of them.
    @discardableResult
    public func delete<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate?
    ) throws -> Int {
        var expression = SQLExpression("DELETE FROM " + T.table.quotedName(inSchema: schema))
        if let predicate {
            expression.append(" WHERE ")
            expression.append(predicate.sqlExpression)
        }
        try withStatement(expression) { statement in while try statement.next() {} }
        return changes
    }

    /// Deletes all rows of a type.
    ///
    /// SQLite truncates the table if it has no triggers and no foreign key refers to it, which is
    /// fast. An update hook is not called then.
    ///
    /// - Returns: The number of deleted rows.
    @discardableResult
    public func deleteAll<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil
    ) throws -> Int {
        try delete(type, inSchema: schema, where: nil)
    }

    private func delete<T: SQLCodable>(
        _ type: T.Type, keys: ArraySlice<[SQLValue]>, inSchema schema: String?
    ) throws {
        guard !keys.isEmpty else { return }
        let predicate = try T.table.keyPredicate(Array(keys))
        try delete(type, inSchema: schema, where: predicate)
    }
}

/// The number of rows per statement: SQLite allows 32,766 parameters, and a key may have many.
private let rowsPerDelete = 500
