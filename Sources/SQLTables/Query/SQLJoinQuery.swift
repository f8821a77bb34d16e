internal import SQLCore

/// A query that joins rows of several types, as tuples of optionals: a type whose columns are all
/// null in a row is nil there.
///
/// ```swift
/// let pairs: [(Team?, Player?)] = try database.query(Team.self)
///     .join(Player.self, kind: .left, on: Player.team)
///     .orderBy(Team.name).load()
/// for (team, player) in pairs { use(team?.name ?? "-", player?.name ?? "no player") }
/// ```
/// The condition is a column with a foreign key, or a predicate. `where`, `orderBy` and `limit`
/// apply to the joined rows. Columns in conditions are qualified by the first table that declares
/// them; use ``SQLColumn/alias(_:)`` for another table:
///
/// ```swift
/// let rivals = try database.query(Player.self, alias: "a")
///     .join(
///         Player.self, alias: "b",
///         on: Player.team.alias("a").equals(Player.team.alias("b")))
///     .where(Player.id.alias("a").lessThan(Player.id.alias("b"))).load()
/// ```
/// It is created by ``SQLTableQuery/join(_:alias:schema:kind:on:)``, and each further table is
/// added in the same way. See <doc:QueriesAndJoins>.
public struct SQLJoinQuery<Row>: SQLQuery {
    let context: SQLContext
    let sources: [SQLJoinSource]
    /// The conditions, the order and the limit. The builder methods of ``SQLQuery`` set them.
    public var clauses: SQLQueryClauses
    let decode: (JoinedRowReader) throws -> Row

    /// Returns `SELECT … FROM … JOIN … ON …`.
    ///
    /// - Throws: `SQLError` with `.misuse` for a join without a condition, or with a column that
    ///   has no foreign key between its table and an earlier one; ``SQLNotSupportedError`` for a
    ///   right or full join before SQLite 3.39.
    public func expression() throws -> SQLExpression {
        for source in sources { try source.kind.requireSupport() }
        let plan = SQLJoinPlan(sources)
        return try plan.selectSQL() + clauses.sqlExpression.qualified(plan.qualifier)
    }

    /// Runs the query; each row is decoded as a tuple when it is read.
    ///
    /// - Returns: A cursor, which must be read on the thread of the context.
    /// - Throws: The errors of ``expression()``, or of compiling the statement.
    public func eval() throws -> RowCursor<Row> {
        let statement = try context.prepare(expr: expression())
        let reader = JoinedRowReader(context, statement, tables: sources.map(\.table))
        let decode = decode
        return RowCursor(statement) { _ in
            reader.start()
            return try decode(reader)
        }
    }
}

/// Reads the columns of one row table by table, from left to right.
final class JoinedRowReader {
    private let context: SQLContext
    private unowned let statement: SQLStatement
    /// One buffer for each table.
    private var rows: [SQLRow]
    private var table = 0
    private var column = 0

    init(_ context: SQLContext, _ statement: SQLStatement, tables: [SQLTable]) {
        self.context = context
        self.statement = statement
        rows = tables.map { SQLRow(index: $0.columnIndex) }
    }

    func start() {
        (table, column) = (0, 0)
    }

    /// Returns the instance of the next table; nil if all its columns are null.
    func next<T: SQLCodable>(_ type: T.Type) throws -> T? {
        rows[table].read(statement, from: column)
        column += rows[table].values.count
        table += 1
        let row = rows[table - 1]
        return row.values.allSatisfy(\.isNull) ? nil : try T(row: row, context: context)
    }
}

extension SQLTableQuery {
    /// Joins a second table.
    ///
    /// ```swift
    /// let scorers = try database.query(Player.self)
    ///     .join(Team.self, on: Player.team)
    ///     .where(Player.score.greaterThan(.long(10))).load()
    /// let mates = try database.query(Player.self)
    ///     .join(Team.self, on: Team.id.equals(Player.team)).load()
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the table's rows.
    ///   - alias: another name for the table inside the query.
    ///   - schema: the attached database that contains it.
    ///   - kind: whether rows without a match are returned.
    ///   - condition: a column of either table with a foreign key to the other, or a predicate; nil
    ///     only for a cross join.
    /// - Returns: A query whose rows are pairs. Errors of the condition are thrown when it runs.
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

    /// Joins a second table; the form of ``join(_:alias:schema:kind:on:)`` with an unlabelled
    /// alias.
    public func join<U: SQLCodable>(
        _ type: U.Type, _ alias: String, schema: String? = nil, kind: SQLJoinType = .inner,
        on condition: (any SQLJoinCondition)? = nil
    ) -> SQLJoinQuery<(T?, U?)> {
        join(type, alias: alias, schema: schema, kind: kind, on: condition)
    }
}

extension SQLJoinQuery {
    /// Joins one more table to any of the previous ones.
    ///
    /// ```swift
    /// let table = try database.query(Team.self)
    ///     .join(Player.self, on: Player.team)
    ///     .join(Season.self, kind: .left, on: Season.player.equals(Player.id))
    ///     .where(Season.goals.greaterThan(.long(20))).load()
    /// for (team, player, season) in table {
    ///     use(team?.name ?? "", player?.name ?? "", season?.goals ?? 0)
    /// }
    /// ```
    /// - Parameters:
    ///   - type: The type of the table's rows.
    ///   - alias: Another name for the table inside the query.
    ///   - schema: The attached database that contains it.
    ///   - kind: Whether rows without a match are returned (default: `.inner`).
    ///   - condition: A column with a foreign key between this table and a previous one, or a
    ///     predicate; nil only for a cross join.
    /// - Returns: A query whose rows have one more element.
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

    /// Joins one more table to any of the previous ones; the form with an unlabelled alias.
    public func join<each T, U: SQLCodable>(
        _ type: U.Type, _ alias: String, schema: String? = nil, kind: SQLJoinType = .inner,
        on condition: (any SQLJoinCondition)? = nil
    ) -> SQLJoinQuery<(repeat each T, U?)> where Row == (repeat each T) {
        join(type, alias: alias, schema: schema, kind: kind, on: condition)
    }
}
