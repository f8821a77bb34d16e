public import QueryEngine
public import DataFileCore

extension SelectQuery {
    /// The query as a `Query`, which can be stored, observed or explained.
    ///
    /// - Throws: `.invalidQuery` for a key path that is not a property of the documents, and for
    ///   other errors that the compiler cannot detect.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// - Throws: the errors of `query`.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }

    /// Returns the rows; each row is computed when it is requested.
    ///
    /// - Throws: the errors of `query` and `Query.rows`.
    public func rows(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> SelectedRows<Row> {
        SelectedRows(
            rows: try query.rows(in: snapshot, parameters, limits: limits), reader: reader)
    }

    /// Returns all rows as an array. For many rows use ``rows(in:_:limits:)``, which computes each
    /// row when it is requested.
    ///
    /// - Throws: the errors of `rows`, and `DecodingError` if a value does not have the property's
    ///   type.
    public func all(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> [Row] {
        let rows = try rows(in: snapshot, parameters, limits: limits)
        var all: [Row] = []
        while let row = try rows.next() { all.append(row) }
        return all
    }

    /// Returns the first row; nil if there is none.
    ///
    /// - Throws: the errors of `all`.
    public func first(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> Row? {
        try rows(in: snapshot, parameters, limits: limits).next()
    }
}

/// The rows of a typed query.
///
/// Valid only within the snapshot that created it, like `QueryRows`.
/// ```swift
/// while let (name, age) = try rows.next() { … }
/// ```
public struct SelectedRows<Row> {
    let rows: QueryRows
    let reader: QueryRowReader<Row>

    /// Returns the next row; nil at the end.
    ///
    /// - Throws: the errors of `QueryRows.next`, and `DecodingError` if a value does not have the
    ///   property's type.
    public func next() throws -> Row? {
        guard let row = try rows.next() else { return nil }
        return try reader.read { row[$0] }
    }
}

extension DataFile {
    /// Returns the rows of a typed query as an asynchronous sequence.
    ///
    /// - Throws: `.invalidQuery`, like `SelectQuery.query`.
    public func rows<Sources, Row>(
        of query: SelectQuery<Sources, Row>, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) throws -> AsyncThrowingMapSequence<QueryRowStream, Row> {
        rows(of: try query.query, parameters, limits: limits).map { [reader = query.reader] row in
            try reader.read { row[$0] }
        }
    }

    /// Returns all rows of a typed query.
    ///
    /// - Throws: the errors of `SelectQuery.all`.
    public func all<Sources, Row: Sendable>(
        of query: SelectQuery<Sources, Row>, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) async throws -> [Row] {
        try await read { try query.all(in: $0, parameters, limits: limits) }
    }
}

extension UpdateQuery {
    /// The query, to be run in a transaction.
    ///
    /// - Throws: `.invalidQuery` if it changes no property, for a key path that is not a property
    ///   of the documents, and for other errors that the compiler cannot detect.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// - Throws: the errors of `query`.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }
}

extension DeleteQuery {
    /// The query, to be run in a transaction.
    ///
    /// - Throws: `.invalidQuery` for a key path that is not a property of the documents, and for
    ///   other errors that the compiler cannot detect.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// - Throws: the errors of `query`.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }
}
