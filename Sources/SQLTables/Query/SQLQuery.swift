/// A query that is built step by step: each step returns a modified copy.
public protocol SQLQuery<Row> {
    /// The type of the result's rows.
    associatedtype Row

    /// The conditions, the order and the limit.
    var clauses: SQLQueryClauses { get set }

    /// Returns the statement with its values. Throws if the joins are invalid.
    func expression() throws -> SQLExpression

    /// Runs the query, and returns a cursor that reads and decodes its rows on demand.
    func eval() throws -> RowCursor<Row>
}

/// The clauses that follow `FROM`: the conditions, the order and the limit.
public struct SQLQueryClauses: Sendable {
    var predicates: [SQLPredicate] = []
    var orders: [SQLExpression] = []
    var limit: Int?
    var offset: Int?

    /// The clauses as SQL, each preceded by a space.
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
            // A negative limit stands for none; an offset is not allowed without a limit.
            result.append(" LIMIT \(limit ?? -1)")
            if let offset { result.append(" OFFSET \(offset)") }
        }
        return result
    }
}

extension SQLQuery {
    /// Returns a copy that is restricted to rows that match a predicate.
    ///
    /// Several calls are combined with `AND`. Nil changes nothing, so that optional filters need no
    /// branches.
    public func `where`(_ predicate: SQLPredicate?) -> Self {
        var copy = self
        if let predicate { copy.clauses.predicates.append(predicate) }
        return copy
    }

    /// Orders the rows; a second order applies to rows that are equal in the first.
    public func orderBy(
        _ operand: any SQLRepresentable, order: SQLOrder = .ascending
    ) -> Self {
        var copy = self
        copy.clauses.orders.append(
            operand.sqlExpression + SQLExpression(" " + order.rawValue))
        return copy
    }

    /// Orders the rows; the unlabelled form of `orderBy`.
    public func orderBy(_ operand: any SQLRepresentable, _ order: SQLOrder) -> Self {
        orderBy(operand, order: order)
    }

    /// Returns a copy that is limited to a number of rows, and replaces an earlier limit.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows; nil for no limit.
    ///   - offset: the number of rows to skip; nil for none.
    public func limit(_ limit: Int?, offset: Int? = nil) -> Self {
        var copy = self
        copy.clauses.limit = limit
        copy.clauses.offset = offset
        return copy
    }

    /// Runs the query and decodes its rows.
    ///
    /// - Parameter count: the maximum number of rows to decode; nil for all.
    /// - Returns: the rows. Use ``eval()`` to read them one at a time.
    public func load(count: Int? = nil) throws -> [Row] {
        try eval().load(count: count)
    }
}
