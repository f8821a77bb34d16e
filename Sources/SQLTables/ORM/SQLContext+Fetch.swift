public import SQLCore

extension SQLContext {
    /// Returns the instance with a primary key; nil if there is none.
    ///
    /// ```swift
    /// let player = try database.fetch(Player.self, id: .long(7))
    /// let season = try database.fetch(Season.self, id: .long(7), .long(2024))
    /// ```
    /// It is one lookup by key, with a cached statement.
    ///
    /// - Parameters:
    ///   - type: The type of the instance.
    ///   - id: The value of each key column, in the order of the table's columns.
    ///   - schema: The attached database that contains the table; nil for the first one that has
    ///     it.
    /// - Throws: ``SQLBindingError``: `.noPrimaryKeys` if the table has none,
    ///   `.columnValuesMismatch` for a wrong number of values; an error of the type's initializer.
    public func fetch<T: SQLCodable>(
        _ type: T.Type, id: SQLValue..., inSchema schema: String? = nil
    ) throws -> T? {
        try fetch(type, primaryKeys: id, inSchema: schema)
    }

    /// Returns the instance with a primary key, given as an array; nil if there is none.
    ///
    /// It throws as ``fetch(_:id:inSchema:)`` does.
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

    /// Returns all instances that match a predicate.
    ///
    /// ```swift
    /// let top = try database.fetchAll(
    ///     Player.self, where: Player.team.equals(.long(3)), orderBy: Player.score,
    ///     order: .descending, limit: 10)
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the instances.
    ///   - schema: the attached database that contains the table; nil for the first one that has
    ///     it.
    ///   - predicate: the condition for the rows; nil for all rows.
    ///   - orderBy: the column or expression by which the rows are sorted; nil for an unspecified
    ///     order.
    ///   - order: the direction of the order.
    ///   - limit: the maximum number of rows; nil for no limit.
    ///   - offset: the number of rows to skip; nil for none.
    ///
    /// The statement is cached. To read many rows one at a time, use ``query(_:alias:schema:)`` and
    /// a ``RowCursor``.
    ///
    /// Throws an error of the type's initializer for a row that it cannot decode.
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

    /// Returns a query for the row with a primary key, to which further clauses can be added.
    ///
    /// ```swift
    /// let member = try database.primaryKeyQuery(Player.self, primaryKeys: [.long(7)])
    ///     .where(Player.team.isNotNull()).load().first
    /// ```
    /// - Throws: ``SQLBindingError``: `.noPrimaryKeys` if the table has none,
    ///   `.columnValuesMismatch` for a wrong number of values.
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
