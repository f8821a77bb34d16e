public import QueryEngine
public import DataFileCore

extension SelectQuery {
    /// The query, to be kept, observed or explained.
    ///
    /// Throws `.invalidQuery` for a key path that is not a property of the documents, and for what
    /// else the compiler cannot see.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// Throws as `query` does.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }

    /// The rows, one by one, as they are asked for.
    ///
    /// Throws as `query` and `Query.rows` do.
    public func rows(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> SelectedRows<Row> {
        SelectedRows(
            rows: try query.rows(in: snapshot, parameters, limits: limits), reader: reader)
    }

    /// All rows.
    ///
    /// Throws as `rows` does, and `DecodingError` for a value that is not of the property's type.
    public func all(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> [Row] {
        let rows = try rows(in: snapshot, parameters, limits: limits)
        var all: [Row] = []
        while let row = try rows.next() { all.append(row) }
        return all
    }

    /// The first row, nil if there is none.
    ///
    /// Throws as `all` does.
    public func first(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> Row? {
        try rows(in: snapshot, parameters, limits: limits).next()
    }
}

/// The rows of a query that was put together in Swift.
///
/// Valid inside the snapshot that it was made in, as `QueryRows` is.
/// ```swift
/// while let (name, age) = try rows.next() { … }
/// ```
public struct SelectedRows<Row> {
    let rows: QueryRows
    let reader: QueryRowReader<Row>

    /// The next row, nil at the end.
    ///
    /// Throws as `QueryRows.next` does, and `DecodingError` for a value that is not of the
    /// property's type.
    public func next() throws -> Row? {
        guard let row = try rows.next() else { return nil }
        return try reader.read { row[$0] }
    }
}

extension DataFile {
    /// The rows of a query that was put together in Swift, for tasks.
    ///
    /// Throws `.invalidQuery`, as `SelectQuery.query` does.
    public func rows<Sources, Row>(
        of query: SelectQuery<Sources, Row>, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) throws -> AsyncThrowingMapSequence<QueryRowStream, Row> {
        rows(of: try query.query, parameters, limits: limits).map { [reader = query.reader] row in
            try reader.read { row[$0] }
        }
    }

    /// All rows of a query that was put together in Swift.
    ///
    /// Throws as `SelectQuery.all` does.
    public func all<Sources, Row: Sendable>(
        of query: SelectQuery<Sources, Row>, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) async throws -> [Row] {
        try await read { try query.all(in: $0, parameters, limits: limits) }
    }
}

extension UpdateQuery {
    /// The query, which is run in a transaction.
    ///
    /// Throws `.invalidQuery` if nothing is to be changed, for a key path that is not a property of
    /// the documents, and for what else the compiler cannot see.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// Throws as `query` does.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }
}

extension DeleteQuery {
    /// The query, which is run in a transaction.
    ///
    /// Throws `.invalidQuery` for a key path that is not a property of the documents, and for what
    /// else the compiler cannot see.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// Throws as `query` does.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }
}
