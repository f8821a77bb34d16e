public import SQLCore

/// The rows of a query, read as they are asked for. It can be run through once.
///
/// ```swift
/// for row in try context.query(Person.self).eval() { use(try row.get()) }
/// ```
/// It keeps its statement open, and with it a read lock, until the last row is read, it is closed,
/// or it goes out of scope.
public final class RowCursor<Row>: Sequence, IteratorProtocol {
    private var statement: SQLStatement?
    private let decode: (SQLStatement) throws -> Row

    init(_ statement: SQLStatement, decode: @escaping (SQLStatement) throws -> Row) {
        self.statement = statement
        self.decode = decode
    }

    /// The next row, or the error that ends the rows; nil when there are no more.
    ///
    /// A row that cannot be made into its type is an error that does not end them.
    public func next() -> Result<Row, any Error>? {
        guard let statement else { return nil }
        do {
            guard try statement.next() else {
                close()
                return nil
            }
        } catch {
            close()
            return .failure(error)
        }
        return Result { try decode(statement) }
    }

    /// The rows that are left, at most `count` of them. The first error is thrown.
    public func load(count: Int? = nil) throws -> [Row] {
        var rows: [Row] = []
        while rows.count < count ?? .max, let row = next() { rows.append(try row.get()) }
        return rows
    }

    /// Lets go of the statement; no more rows come.
    public func close() {
        statement = nil
    }
}

extension SQLContext {
    /// The rows of one statement, read as they are asked for.
    public func cursor(
        sql: String, parameters: [SQLValue] = []
    ) throws -> RowCursor<[SQLValue]> {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        return RowCursor(statement) { $0.rowValues() }
    }

    /// The rows of a statement, each an array of its values.
    public func cursor(_ expression: SQLExpression) throws -> RowCursor<[SQLValue]> {
        RowCursor(try prepare(expr: expression)) { $0.rowValues() }
    }
}
