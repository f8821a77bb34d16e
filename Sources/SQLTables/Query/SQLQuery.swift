/// A query that is built step by step: each step returns a modified copy.
///
/// ```swift
/// let all = database.query(Player.self)
/// let free = all.where(Player.team.isNull())
/// let best = free.orderBy(Player.score, order: .descending).limit(3)
/// let players = try best.load()
/// ```
/// A query does nothing until ``load(count:)`` or ``eval()`` runs it, and can run several times. It
/// belongs to the thread of its context. ``SQLTableQuery`` and ``SQLJoinQuery`` conform to it.
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
///
/// The builder methods of ``SQLQuery`` set them.
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
    ///
    /// ```swift
    /// func search(name: String?, least: Int?) throws -> [Player] {
    ///     try database.query(Player.self)
    ///         .where(name.map { Player.name.like(.text("%\($0)%")) })
    ///         .where(least.map { Player.score.greaterThanOrEqual(SQLValue($0)) })
    ///         .load()
    /// }
    /// ```
    /// - Parameter predicate: The condition; nil for none.
    public func `where`(_ predicate: SQLPredicate?) -> Self {
        var copy = self
        if let predicate { copy.clauses.predicates.append(predicate) }
        return copy
    }

    /// Orders the rows; a second order applies to rows that are equal in the first.
    ///
    /// Nulls are before all other values in ascending order.
    ///
    /// ```swift
    /// let query = database.query(Player.self)
    ///     .orderBy(Player.score, order: .descending)
    ///     .orderBy(SQLExpression("lower(\"NAME\")"))
    /// ```
    /// - Parameters:
    ///   - operand: A column or an expression.
    ///   - order: The direction (default: ascending).
    public func orderBy(
        _ operand: any SQLRepresentable, order: SQLOrder = .ascending
    ) -> Self {
        var copy = self
        copy.clauses.orders.append(
            operand.sqlExpression + SQLExpression(" " + order.rawValue))
        return copy
    }

    /// Orders the rows; the form of ``orderBy(_:order:)`` with an unlabelled order.
    public func orderBy(_ operand: any SQLRepresentable, _ order: SQLOrder) -> Self {
        orderBy(operand, order: order)
    }

    /// Returns a copy that is limited to a number of rows, and replaces an earlier limit.
    ///
    /// Without an order it is unspecified which rows are returned. An offset costs the time of
    /// reading the skipped rows; to page through a large table, use a condition on the last key
    /// instead:
    ///
    /// ```swift
    /// var last: Int64 = 0
    /// let page = try database.query(Player.self)
    ///     .where(Player.id.greaterThan(.long(last))).orderBy(Player.id).limit(50).load()
    /// last = page.last?.id ?? last
    /// ```
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
    /// ```swift
    /// let names = try database.query(Player.self).orderBy(Player.name).load().map(\.name)
    /// ```
    ///
    /// - Parameter count: the maximum number of rows to decode; nil for all.
    /// - Returns: the rows. Use ``eval()`` to read them one at a time.
    /// - Throws: The error of the statement, or of the first row that cannot be decoded.
    public func load(count: Int? = nil) throws -> [Row] {
        try eval().load(count: count)
    }
}
