public import SQLCore

/// A type that can also be made straight from a statement's columns, by their position: with
/// nothing between SQLite and the instance, reading many takes half the time.
///
/// ```swift
/// init(statement: SQLStatement) throws {
///     id = statement.long(at: 0)
///     name = statement.text(at: 1) ?? ""
/// }
/// ```
public protocol SQLPositionalCodable: SQLCodable {
    /// Makes an instance of the current row, whose columns are those of `table`, in its order; the
    /// first is 0. It must not step or reset the statement.
    init(statement: SQLStatement) throws
}

// Inlinable, so that the loops are compiled for the type.
extension SQLTableQuery where T: SQLPositionalCodable {
    /// All rows at once, read by position.
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
    /// All instances for which a predicate holds, read by position.
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
