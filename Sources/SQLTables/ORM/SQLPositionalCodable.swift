public import SQLCore

/// A type that can also be created directly from a statement's columns, by their position: without
/// a row between SQLite and the instance, reading many instances takes half the time.
///
/// ```swift
/// init(statement: SQLStatement) throws {
///     id = statement.long(at: 0)
///     name = statement.text(at: 1) ?? ""
/// }
/// ```
public protocol SQLPositionalCodable: SQLCodable {
    /// Creates an instance from the current row, whose columns are those of `table`, in its order,
    /// the first at position 0. It must not step or reset the statement.
    init(statement: SQLStatement) throws
}

// Inlinable, so that the loops are specialized for the type.
extension SQLTableQuery where T: SQLPositionalCodable {
    /// Reads all rows by position.
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
