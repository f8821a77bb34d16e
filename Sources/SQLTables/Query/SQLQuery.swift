/// A query that is being put together: a copy is returned by each step.
public protocol SQLQuery<Row> {
    /// What a row becomes.
    associatedtype Row

    /// The conditions, the order and the limit.
    var clauses: SQLQueryClauses { get set }

    /// The statement with its values. Throws what is wrong with the joins.
    func expression() throws -> SQLExpression

    /// Runs it.
    func eval() throws -> RowCursor<Row>
}

/// What follows `FROM`: the conditions, the order and the limit.
public struct SQLQueryClauses: Sendable {
    var predicates: [SQLPredicate] = []
    var orders: [SQLExpression] = []
    var limit: Int?
    var offset: Int?

    /// The clauses as SQL, with a space before each.
    var sqlExpression: SQLExpression {
        var result = SQLExpression("")
        if !predicates.isEmpty {
            result.append(" WHERE ")
            result.append(SQLPredicate.and(predicates).sqlExpression)
        }
        if !orders.isEmpty {
            result.append(" ORDER BY ")
            result.append(.joined(orders, ", "))
        }
        if limit != nil || offset != nil {
            // A negative limit is none; an offset cannot stand without one.
            result.append(" LIMIT \(limit ?? -1)")
            if let offset { result.append(" OFFSET \(offset)") }
        }
        return result
    }
}

extension SQLQuery {
    /// Only rows for which `predicate` holds; all of several must. Nil changes nothing.
    public func `where`(_ predicate: SQLPredicate?) -> Self {
        var copy = self
        if let predicate { copy.clauses.predicates.append(predicate) }
        return copy
    }

    /// Orders the rows; a second order is for rows that are equal in the first.
    public func orderBy(
        _ operand: any SQLRepresentable, order: SQLOrder = .ascending
    ) -> Self {
        var copy = self
        copy.clauses.orders.append(
            operand.sqlExpression + SQLExpression(" " + order.rawValue))
        return copy
    }

    /// The same without a label.
    public func orderBy(_ operand: any SQLRepresentable, _ order: SQLOrder) -> Self {
        orderBy(operand, order: order)
    }

    /// At most `limit` rows, after the first `offset`. Nil is no limit.
    public func limit(_ limit: Int?, offset: Int? = nil) -> Self {
        var copy = self
        copy.clauses.limit = limit
        copy.clauses.offset = offset
        return copy
    }

    /// Runs it, and makes all rows at once.
    public func load(count: Int? = nil) throws -> [Row] {
        try eval().load(count: count)
    }
}
