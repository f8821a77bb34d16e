public import SQLCore

/// A query for the rows of one type.
///
/// ```swift
/// let best = try database.query(Player.self).where(Player.score.greaterThan(.long(17)))
///     .orderBy(Player.name).limit(10).load()
/// ```
/// It is created by ``SQLCore/SQLContext/query(_:alias:schema:)``, refined by the methods of
/// ``SQLQuery``, and joined with other types by ``join(_:alias:schema:kind:on:)``. Its values are
/// bound as parameters, so a string from outside cannot become SQL.
///
/// `load()` uses a cached statement; ``eval()`` compiles one, which its cursor keeps open.
public struct SQLTableQuery<T: SQLCodable>: SQLQuery {
    @usableFromInline let context: SQLContext
    let source: SQLJoinSource
    /// The conditions, the order and the limit. The builder methods of ``SQLQuery`` set them.
    public var clauses = SQLQueryClauses()

    /// Returns `SELECT … FROM …`; columns are qualified only if the table has an alias.
    ///
    /// ```swift
    /// let query = database.query(Player.self).where(Player.score.greaterThan(.long(10)))
    /// print(query.expression().literal)
    /// ```
    public func expression() -> SQLExpression {
        let alias = source.alias?.sqlName
        let list = alias.map { source.columnList(of: $0) } ?? source.table.columnList
        let select = SQLExpression("SELECT " + list + " FROM " + source.sql(as: source.alias))
        return (select + clauses.sqlExpression).qualified { _ in alias }
    }

    /// Runs the query; each row is decoded when it is read.
    ///
    /// ```swift
    /// let cursor = try database.query(Player.self).eval()
    /// defer { cursor.close() }
    /// let first = try cursor.next()?.get()
    /// ```
    /// - Returns: A cursor, which must be read on the thread of the context.
    /// - Throws: `SQLError` if the statement cannot be compiled, for example because the table does
    ///   not exist.
    public func eval() throws -> RowCursor<T> {
        let context = context
        var row = SQLRow(index: T.table.columnIndex)
        return RowCursor(try context.prepare(expr: expression())) { statement in
            row.read(statement)
            return try T(row: row, context: context)
        }
    }

    // Inlinable, so that the loop is specialized for the type.
    /// Returns all rows, using a cached statement.
    ///
    /// - Parameter count: The maximum number of rows to decode; nil for all. A limit is faster,
    ///   since SQLite can use it in its plan.
    /// - Throws: The error of the statement, or of the first row that cannot be decoded.
    @inlinable
    public func load(count: Int? = nil) throws -> [T] {
        var result: [T] = []
        try withStatement { statement, row in
            while try result.count < count ?? .max && statement.next() {
                row.read(statement, from: 0)
                result.append(try T(row: row, context: context))
            }
        }
        return result
    }

    /// Passes the query's statement and a row buffer to `operation`.
    @usableFromInline
    func withStatement(_ operation: (SQLStatement, inout SQLRow) throws -> Void) throws {
        var row = SQLRow(index: T.table.columnIndex)
        try context.withStatement(expression()) { try operation($0, &row) }
    }
}

extension SQLContext {
    /// Returns a query for the rows of a type.
    ///
    /// ```swift
    /// let archived = try database.query(Player.self, schema: "archive").load(count: 10)
    /// ```
    ///
    /// - Parameters:
    ///   - type: the type of the rows.
    ///   - alias: another name for the table inside the query.
    ///   - schema: the attached database that contains the table.
    /// - Returns: A query for all rows; nothing is read until it runs.
    public func query<T: SQLCodable>(
        _ type: T.Type, alias: String? = nil, schema: String? = nil
    ) -> SQLTableQuery<T> {
        SQLTableQuery(
            context: self,
            source: SQLJoinSource(table: T.table, alias: alias, schema: schema))
    }
}
