extension SQLTableQuery {
    /// Joins a second table.
    ///
    /// - Parameters:
    ///   - type: says which table.
    ///   - alias: another name of that table inside the query.
    ///   - schema: the attached database that it is in.
    ///   - kind: which rows without a partner are kept.
    ///   - condition: a column of either table with a foreign key to the other, or a predicate;
    ///     nil for a cross join only.
    public func join<U: SQLCodable>(
        _ type: U.Type, alias: String? = nil, schema: String? = nil, kind: SQLJoinType = .inner,
        on condition: (any SQLJoinCondition)? = nil
    ) -> SQLJoinQuery<(T?, U?)> {
        let second = SQLJoinSource(
            table: U.table, alias: alias, schema: schema, kind: kind, condition: condition)
        return SQLJoinQuery(context: context, sources: [source, second], clauses: clauses) { row in
            (try row.next(T.self), try row.next(U.self))
        }
    }

    /// The same with an unlabelled alias.
    public func join<U: SQLCodable>(
        _ type: U.Type, _ alias: String, schema: String? = nil, kind: SQLJoinType = .inner,
        on condition: (any SQLJoinCondition)? = nil
    ) -> SQLJoinQuery<(T?, U?)> {
        join(type, alias: alias, schema: schema, kind: kind, on: condition)
    }
}

extension SQLJoinQuery {
    /// Joins one more table, to any of those before. The parameters are those of the first join.
    public func join<each T, U: SQLCodable>(
        _ type: U.Type, alias: String? = nil, schema: String? = nil, kind: SQLJoinType = .inner,
        on condition: (any SQLJoinCondition)? = nil
    ) -> SQLJoinQuery<(repeat each T, U?)> where Row == (repeat each T) {
        let next = SQLJoinSource(
            table: U.table, alias: alias, schema: schema, kind: kind, condition: condition)
        let decode = decode
        return SQLJoinQuery<(repeat each T, U?)>(
            context: context, sources: sources + [next], clauses: clauses
        ) { row in
            let earlier = try decode(row)
            return (repeat each earlier, try row.next(U.self))
        }
    }

    /// The same with an unlabelled alias.
    public func join<each T, U: SQLCodable>(
        _ type: U.Type, _ alias: String, schema: String? = nil, kind: SQLJoinType = .inner,
        on condition: (any SQLJoinCondition)? = nil
    ) -> SQLJoinQuery<(repeat each T, U?)> where Row == (repeat each T) {
        join(type, alias: alias, schema: schema, kind: kind, on: condition)
    }
}
