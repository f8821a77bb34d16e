public import SQLCore

/// A query for the rows of one type.
///
/// ```swift
/// let people = try context.query(Person.self).where(Person.age.greaterThan(.long(17)))
///     .orderBy(Person.name).limit(10).eval().load()
/// ```
public struct SQLTableQuery<T: SQLCodable>: SQLQuery {
    @usableFromInline let context: SQLContext
    let source: SQLJoinSource
    /// The conditions, the order and the limit.
    public var clauses = SQLQueryClauses()

    /// Returns `SELECT … FROM …`; columns are qualified only if the table has an alias.
    public func expression() -> SQLExpression {
        let alias = source.alias?.sqlName
        let list = alias.map { source.columnList(of: $0) } ?? source.table.columnList
        let select = SQLExpression("SELECT " + list + " FROM " + source.sql(as: source.alias))
        return (select + clauses.sqlExpression).qualified { _ in alias }
    }

    /// Runs the query; each row is decoded when it is read.
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
    /// - Parameters:
    ///   - type: the type of the rows.
    ///   - alias: another name for the table inside the query.
    ///   - schema: the attached database that contains the table.
    public func query<T: SQLCodable>(
        _ type: T.Type, alias: String? = nil, schema: String? = nil
    ) -> SQLTableQuery<T> {
        SQLTableQuery(
            context: self,
            source: SQLJoinSource(table: T.table, alias: alias, schema: schema))
    }
}
