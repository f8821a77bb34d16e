public import SQLCore

/// The rows of a query, read on demand. It can be iterated once.
///
/// ```swift
/// let cursor = try database.query(Player.self).orderBy(Player.name).eval()
/// for row in cursor {
///     let player = try row.get()
///     if player.score == nil { break }
///     use(player.name)
/// }
/// ```
/// One row is in memory at a time, so it suits results that are larger than memory. For a small
/// result, `load()` of the query is simpler and faster.
///
/// It keeps its statement open, and with it a read transaction, until the last row is read, it is
/// closed, or it is deallocated. While it is open the context cannot be closed, and a checkpoint
/// cannot reset the WAL. It must be used on the thread of its context.
public final class RowCursor<Row>: Sequence, IteratorProtocol {
    private var statement: SQLStatement?
    private let decode: (SQLStatement) throws -> Row

    init(_ statement: SQLStatement, decode: @escaping (SQLStatement) throws -> Row) {
        self.statement = statement
        self.decode = decode
    }

    /// Returns the next row, or the error that ends the iteration; nil after the last row.
    ///
    /// A row that cannot be decoded as its type is an error that does not end the iteration, so
    /// that damaged rows can be skipped.
    ///
    /// ```swift
    /// let cursor = try database.query(Player.self).eval()
    /// while let row = cursor.next() {
    ///     switch row {
    ///     case .success(let player): use(player.name)
    ///     case .failure(let error): use("skipped: \(error)")
    ///     }
    /// }
    /// ```
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

    /// Returns the remaining rows. It throws the first error, after which further rows can be
    /// loaded if the row could not be decoded.
    ///
    /// ```swift
    /// let cursor = try database.query(Player.self).eval()
    /// let first = try cursor.load(count: 100)
    /// let next = try cursor.load(count: 100)
    /// cursor.close()
    /// ```
    /// - Parameter count: The maximum number of rows; nil for all.
    /// - Returns: The rows; empty at the end.
    public func load(count: Int? = nil) throws -> [Row] {
        var rows: [Row] = []
        while rows.count < count ?? .max, let row = next() { rows.append(try row.get()) }
        return rows
    }

    /// Releases the statement, and ends its read transaction; no more rows are returned. A cursor
    /// closes itself after its last row.
    public func close() {
        statement = nil
    }
}

extension SQLContext {
    /// Returns the rows of a statement, read on demand.
    ///
    /// ```swift
    /// let names = try database.cursor(
    ///     sql: "SELECT NAME, SCORE FROM PLAYER WHERE SCORE > ?", parameters: [.long(10)])
    /// for row in names { use(try row.get()[0]) }
    /// ```
    /// - Parameters:
    ///   - sql: One statement. It runs when the first row is read.
    ///   - parameters: One value for each parameter of the statement.
    /// - Throws: `SQLError` if the statement cannot be compiled, `.range` if the number of values
    ///   is wrong.
    public func cursor(
        sql: String, parameters: [SQLValue] = []
    ) throws -> RowCursor<[SQLValue]> {
        let statement = try prepare(sql: sql)
        try statement.bind(parameters: parameters)
        return RowCursor(statement) { $0.rowValues() }
    }

    /// Returns the rows of a statement, each as an array of its values.
    ///
    /// ```swift
    /// let least = SQLValue(10)
    /// let rows = try database.cursor("SELECT NAME FROM PLAYER WHERE SCORE > \(least)")
    /// let names = try rows.load().compactMap(\.first?.textValue)
    /// ```
    /// - Parameter expression: One statement with its values.
    /// - Throws: `SQLError` if the statement cannot be compiled.
    public func cursor(_ expression: SQLExpression) throws -> RowCursor<[SQLValue]> {
        RowCursor(try prepare(expr: expression)) { $0.rowValues() }
    }
}
