public import SQLCore

/// A query of the rows of one type.
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

    /// `SELECT … FROM …`, with columns qualified only if the table has an alias.
    public func expression() -> SQLExpression {
        let alias = source.alias?.sqlName
        let list = alias.map { source.columnList(of: $0) } ?? source.table.columnList
        let select = SQLExpression("SELECT " + list + " FROM " + source.sql(as: source.alias))
        return (select + clauses.sqlExpression).qualified { _ in alias }
    }

    /// Runs it: each row becomes an instance when it is read.
    public func eval() throws -> RowCursor<T> {
        let context = context
        var row = SQLRow(index: T.table.columnIndex)
        return RowCursor(try context.prepare(expr: expression())) { statement in
            row.read(statement)
            return try T(row: row, context: context)
        }
    }

    // Inlinable, so that the loop is compiled for the type.
    /// All rows at once, with a statement that is kept for the next time.
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

    /// Lends the query's statement to `body`, and a row to read into.
    @usableFromInline
    func withStatement(_ body: (SQLStatement, inout SQLRow) throws -> Void) throws {
        var row = SQLRow(index: T.table.columnIndex)
        try context.withStatement(expression()) { try body($0, &row) }
    }
}

extension SQLContext {
    /// A query of the rows of a type.
    ///
    /// - Parameters:
    ///   - type: says which table.
    ///   - alias: another name of the table inside the query.
    ///   - schema: the attached database that the table is in.
    public func query<T: SQLCodable>(
        _ type: T.Type, alias: String? = nil, schema: String? = nil
    ) -> SQLTableQuery<T> {
        SQLTableQuery(
            context: self,
            source: SQLJoinSource(table: T.table, alias: alias, schema: schema))
    }
}
