public import SQLCore

/// The rows of a query, read on demand. It can be iterated once.
///
/// ```swift
/// for row in try context.query(Person.self).eval() { use(try row.get()) }
/// ```
/// It keeps its statement open, and with it a read transaction, until the last row is read, it is
/// closed, or it is deallocated.
public final class RowCursor<Row>: Sequence, IteratorProtocol {
    private var statement: SQLStatement?
    private let decode: (SQLStatement) throws -> Row

    init(_ statement: SQLStatement, decode: @escaping (SQLStatement) throws -> Row) {
        self.statement = statement
        self.decode = decode
    }

    /// Returns the next row, or the error that ends the iteration; nil after the last row.
    ///
    /// A row that cannot be decoded as its type is an error that does not end the iteration.
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

    /// Returns the remaining rows, at most `count` of them. Throws the first error.
    public func load(count: Int? = nil) throws -> [Row] {
        var rows: [Row] = []
        while rows.count < count ?? .max, let row = next() { rows.append(try row.get()) }
        return rows
    }

    /// Releases the statement; no more rows are returned.
    public func close() {
        statement = nil
    }
}

extension SQLContext {
    /// Returns the rows of a statement, read on demand.
    public func cursor(
        sql: String, parameters: [SQLValue] = []
    ) throws -> RowCursor<[SQLValue]> {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        return RowCursor(statement) { $0.rowValues() }
    }

    /// Returns the rows of a statement, each as an array of its values.
    public func cursor(_ expression: SQLExpression) throws -> RowCursor<[SQLValue]> {
        RowCursor(try prepare(expr: expression)) { $0.rowValues() }
    }
}
