public import SQLCore

extension SQLContext {
    /// The instance with a primary key, or nil. A compound key has a value for each of its columns.
    ///
    /// Throws `.noPrimaryKeys` if the table has none, `.columnValuesMismatch` for a wrong count.
    public func fetch<T: SQLCodable>(
        _ type: T.Type, id: SQLValue..., inSchema schema: String? = nil
    ) throws -> T? {
        try fetch(type, primaryKeys: id, inSchema: schema)
    }

    /// The same with the key as an array.
    public func fetch<T: SQLCodable>(
        _ type: T.Type, primaryKeys: [SQLValue], inSchema schema: String? = nil
    ) throws -> T? {
        _ = try T.table.requireKeys()
        try T.table.checkKeyCount(primaryKeys)
        return try withStatement(sql: T.table.fetchSQL(inSchema: schema)) { statement in
            try statement.bind(parameters: primaryKeys)
            guard try statement.next() else { return nil }
            var row = SQLRow(index: T.table.columnIndex)
            row.read(statement)
            return try T(row: row, context: self)
        }
    }

    /// All instances for which a predicate holds.
    @inlinable
    public func fetchAll<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil,
        orderBy: (any SQLRepresentable)? = nil, order: SQLOrder = .ascending, limit: Int? = nil,
        offset: Int? = nil
    ) throws -> [T] {
        try allQuery(
            type, inSchema: schema, where: predicate, orderBy: orderBy, order: order, limit: limit,
            offset: offset
        ).load()
    }

    @usableFromInline
    func allQuery<T: SQLCodable>(
        _ type: T.Type, inSchema schema: String?, where predicate: SQLPredicate?,
        orderBy: (any SQLRepresentable)?, order: SQLOrder, limit: Int?, offset: Int?
    ) -> SQLTableQuery<T> {
        let query = query(type, schema: schema).where(predicate).limit(limit, offset: offset)
        return orderBy.map { query.orderBy($0, order: order) } ?? query
    }

    /// A query for the row with a primary key.
    public func primaryKeyQuery<T: SQLCodable>(
        _ type: T.Type, primaryKeys: [SQLValue], inSchema schema: String? = nil
    ) throws -> SQLTableQuery<T> {
        query(type, schema: schema).where(try T.table.keyPredicate([primaryKeys]))
    }
}

extension SQLTable {
    /// `SELECT … FROM … WHERE key = ?`
    fileprivate func fetchSQL(inSchema schema: String?) -> String {
        guard let schema else { return declaration.fetchSQL }
        return "SELECT " + columnList + " FROM " + quotedName(inSchema: schema) + whereKeySQL
    }
}
