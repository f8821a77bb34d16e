public import SQLCore

/// A type that can also be created directly from a statement's columns, by their position: without
/// a row between SQLite and the instance, reading many instances takes half the time.
///
/// ```swift
/// struct Word: SQLPositionalCodable {
///     static let text = SQLColumn(name: "TEXT", type: .text, primaryKey: true)
///     static let count = SQLColumn(name: "COUNT", type: .long, nullable: false)
///     static let table = SQLTable(name: "WORD", columns: [text, count])
///
///     let text: String, count: Int64
///
///     init(statement: SQLStatement) throws {
///         text = statement.text(at: 0) ?? ""
///         count = statement.long(at: 1)
///     }
///     init(row: SQLRow, context: SQLContext) throws {
///         text = try Self.text.textValueRequired(in: row)
///         count = try Self.count.longValueRequired(in: row)
///     }
///     func encode(row: inout SQLRow) throws {
///         row[Self.text] = SQLValue(text)
///         row[Self.count] = SQLValue(count)
///     }
/// }
/// let common = try database.fetchAll(Word.self, where: Word.count.greaterThan(.long(100)))
/// ```
/// `fetchAll` and `load` of a query use it. A cursor, a join and the fetch of a single instance use
/// a ``SQLRow``, so both initializers must give equal instances.
///
/// The positions are those of the columns in the table; a change of their order must be repeated
/// here.
public protocol SQLPositionalCodable: SQLCodable {
    /// Creates an instance from the current row, whose columns are those of `table`, in its order,
    /// the first at position 0. It must not step or reset the statement.
    init(statement: SQLStatement) throws
}

// Inlinable, so that the loops are specialized for the type.
extension SQLTableQuery where T: SQLPositionalCodable {
    /// Reads all rows by position, using a cached statement.
    ///
    /// - Parameter count: The maximum number of rows to decode; nil for all.
    /// - Throws: The error of the statement, or of the first row that cannot be decoded.
    @inlinable
    public func load(count: Int? = nil) throws -> [T] {
        var result: [T] = []
        try withStatement { statement, _ in
            while try result.count < count ?? .max && statement.next() {
                result.append(try T(statement: statement))
            }
        }
        return result
    }
}

extension SQLContext {
    /// Returns all instances that match a predicate, read by position.
    ///
    /// The parameters are those of the method for other types.
    ///
    /// - Throws: The error of the statement, or of the first row that cannot be decoded.
    @inlinable
    public func fetchAll<T: SQLPositionalCodable>(
        _ type: T.Type, inSchema schema: String? = nil, where predicate: SQLPredicate? = nil,
        orderBy: (any SQLRepresentable)? = nil, order: SQLOrder = .ascending, limit: Int? = nil,
        offset: Int? = nil
    ) throws -> [T] {
        try allQuery(
            type, inSchema: schema, where: predicate, orderBy: orderBy, order: order, limit: limit,
            offset: offset
        ).load()
    }
}
