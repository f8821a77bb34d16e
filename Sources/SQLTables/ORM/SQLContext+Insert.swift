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
