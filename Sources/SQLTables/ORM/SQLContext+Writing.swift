public import SQLCore

extension SQLContext {
    /// Inserts an instance, and returns it as it is now in the table.
    ///
    /// Columns that are null are left out, so that they get their default values; an
    /// autoincremented key of 0 is left out too, and given out by SQLite. If nothing was filled in,
    /// the same instance is returned; so it is if a trigger kept the row out, which `changes` tells
    /// by 0. Generated columns are not read back: `refresh` does that.
    ///
    /// - Parameters:
    ///   - ob: the instance.
    ///   - schema: the attached database that the table is in.
    ///   - upsert: whether a row with the same primary key is overwritten, null columns too,
    ///     instead of being an error. Conflicts of other unique columns stay errors. Before
    ///     SQLite 3.24 it throws `SQLNotSupportedError`.
    @discardableResult
    public func insert<T: SQLCodable>(
        _ ob: T, inSchema schema: String? = nil, upsert: Bool = false
    ) throws -> T {
        let row = try ob.encodedRow()
        let inserter = try SQLInserter(
            context: self, table: T.table, schema: schema, upsert: upsert)
        try inserter.insert(row)
        // Without a new row, the latest rowid is that of another one.
        guard changes > 0 else { return ob }
        return try completed(ob, row, supplied: inserter.supplied, inSchema: schema, upsert)
    }

    /// Inserts an instance or, if there is one with its primary key, overwrites that.
    @discardableResult
    public func upsert<T: SQLCodable>(_ ob: T, inSchema schema: String? = nil) throws -> T {
        try insert(ob, inSchema: schema, upsert: true)
    }

    /// Inserts an instance and puts what it has become in its place.
    ///
    /// - Parameters:
    ///   - ob: the instance.
    ///   - refresh: whether it is read back, with what defaults and triggers made of it.
    public func inserted<T: SQLCodable>(
        _ ob: inout T, inSchema schema: String? = nil, refresh: Bool = false
    ) throws {
        ob = try insert(ob, inSchema: schema)
        if refresh { try self.refresh(&ob, inSchema: schema) }
    }

    /// Inserts many instances: all or, if one fails, none.
    ///
    /// In a transaction that is open already it is a savepoint.
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

    /// The instance with the key that SQLite gave out, and with the defaults of its null columns.
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
        // Whether an upsert inserted, with defaults, or wrote nulls, only the table knows.
        let keys = T.table.declaration.keyPositions
        if upsert, keys.allSatisfy({ supplied[$0] }) {
            let values = keys.map { row.values[$0] }
            return try fetch(T.self, primaryKeys: values, inSchema: schema) ?? ob
        }
        return try T(row: row, context: self)
    }
}

extension SQLContext {
    /// Writes all columns of an instance but the generated ones, nulls too, to the row with its
    /// primary key. If there is no such row nothing happens; `changes` tells.
    ///
    /// Throws `.noPrimaryKeys` if the table has none.
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

    /// Reads an instance again by its primary key. False, and no change, if its row is gone.
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
    /// Throws `.noPrimaryKeys` if the table has none.
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

    /// Deletes the rows for which a predicate holds; all of them if it is nil. Returns how many.
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

    /// Deletes all rows of a type. Returns how many there were.
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

/// How many rows one statement deletes: SQLite allows 32,766 parameters, and a key may have many.
private let rowsPerDelete = 500
