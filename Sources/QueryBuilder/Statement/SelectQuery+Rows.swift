public import QueryEngine
public import DataFileCore

extension SelectQuery {
    /// The query as a `Query`, which can be stored, observed or explained.
    ///
    /// ```swift
    /// let adults = try from(persons).where(\.age >= 18).query
    /// for try await results in file.observe(adults) { print(results.count) }
    /// ```
    /// Its rows are ``ResultRow`` values, whose columns are those of the selection in order.
    /// Observed without a selection, `results[0][2]` is the document.
    ///
    /// - Throws: `.invalidQuery` for a key path that is not a property of the documents, and for
    ///   other errors that the compiler cannot detect.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++, to show what it does.
    ///
    /// ```swift
    /// print(try from(persons).where(\.age > 30).select(\.name.last).sqlPlusPlus)
    /// // SELECT people.name.last FROM people WHERE people.age > 30
    /// ```
    /// - Throws: the errors of ``query``.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }

    /// Returns the rows; each row is computed and decoded when it is requested.
    ///
    /// ```swift
    /// let rows = try from(persons).select(\.name.last, \.age).rows(in: snapshot)
    /// while let (name, age) = try rows.next() { print(name, age) }
    /// ```
    /// Tasks use ``DataFile/rows(of:_:limits:)``.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot, or a transaction.
    ///   - parameters: values for the parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Throws: the errors of ``query`` and of `Query.rows(in:_:limits:)`.
    public func rows(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> SelectedRows<Row> {
        SelectedRows(
            rows: try query.rows(in: snapshot, parameters, limits: limits), reader: reader)
    }

    /// Returns all rows as an array. For many rows use ``rows(in:_:limits:)``, which computes each
    /// row when it is requested.
    ///
    /// ```swift
    /// let older = from(persons).where(\.age > parameter("least")).select(\.name.last)
    /// let names = try file.read { try older.all(in: $0, ["least": 60]) }  // [String]
    /// ```
    /// - Parameters:
    ///   - snapshot: the snapshot, or a transaction.
    ///   - parameters: values for the parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Returns: the decoded rows, in order.
    /// - Throws: the errors of ``rows(in:_:limits:)``, and `DecodingError` if a value does not have
    ///   the property's type.
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
    /// ```swift
    /// let oldest = try from(persons).orderBy(\.age.descending).select(\.name).first(in: snapshot)
    /// print(oldest?.last ?? "none")
    /// ```
    /// Only one row is computed, unless the query sorts or groups; without an order it is
    /// unspecified which. Set `limit(1)` too if the query sorts, so that SQLite retains only one
    /// row while sorting.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot, or a transaction.
    ///   - parameters: values for the parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Throws: the errors of ``all(in:_:limits:)``.
    public func first(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> Row? {
        try rows(in: snapshot, parameters, limits: limits).next()
    }
}

/// The rows of a typed query, from ``SelectQuery/rows(in:_:limits:)``.
///
/// ```swift
/// let rows = try from(persons).select(\.name.last, \.age).rows(in: snapshot)
/// while let (name, age) = try rows.next() { print(name, age) }
/// ```
/// Valid only within the snapshot that created it, like `QueryRows`. The rows themselves are values
/// of their own.
public struct SelectedRows<Row> {
    let rows: QueryRows
    let reader: QueryRowReader<Row>

    /// Returns the next row; nil at the end.
    ///
    /// - Throws: the errors of `QueryRows.next()`, and `DecodingError` if a value does not have the
    ///   property's type. After a `DecodingError` the next call returns the following row.
    public func next() throws -> Row? {
        guard let row = try rows.next() else { return nil }
        return try reader.read { row[$0] }
    }
}

extension DataFile {
    /// Returns the rows of a typed query as an asynchronous sequence.
    ///
    /// ```swift
    /// for try await name in try file.rows(of: from(persons).select(\.name.last)) { print(name) }
    /// ```
    /// Each iteration reads a snapshot of its own; leaving the loop or cancelling the task stops
    /// SQLite. The iteration throws the errors of the run, and `DecodingError`.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - parameters: values for its parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Throws: `.invalidQuery`, like ``SelectQuery/query``.
    public func rows<Sources, Row>(
        of query: SelectQuery<Sources, Row>, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) throws -> AsyncThrowingMapSequence<QueryRowStream, Row> {
        rows(of: try query.query, parameters, limits: limits).map { [reader = query.reader] row in
            try reader.read { row[$0] }
        }
    }

    /// Returns all rows of a typed query, read in one snapshot, without blocking the caller's
    /// thread.
    ///
    /// ```swift
    /// let ages = try await file.all(of: from(persons).select(\.age).orderBy(\.age))  // [Int]
    /// ```
    /// - Parameters:
    ///   - query: the query.
    ///   - parameters: values for its parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Throws: the errors of ``SelectQuery/all(in:_:limits:)``, and `CancellationError`.
    public func all<Sources, Row: Sendable>(
        of query: SelectQuery<Sources, Row>, _ parameters: QueryParameters = [:],
        limits: QueryLimits = .none
    ) async throws -> [Row] {
        try await read { try query.all(in: $0, parameters, limits: limits) }
    }
}

extension UpdateQuery {
    /// The query, to be run in a transaction by `Query.run(in:_:limits:)`.
    ///
    /// ```swift
    /// let birthday = try update(persons).set(\.age) { $0.age + 1 }.query
    /// let count = try file.write { try birthday.run(in: $0) }
    /// ```
    /// - Throws: `.invalidQuery` if it changes no property, for a key path that is not a property
    ///   of the documents, and for other errors that the compiler cannot detect.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// - Throws: the errors of ``query``.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }
}

extension DeleteQuery {
    /// The query, to be run in a transaction by `Query.run(in:_:limits:)`.
    ///
    /// ```swift
    /// let old = try delete(from: persons).where(\.age > 150).query
    /// let count = try file.write { try old.run(in: $0) }
    /// ```
    /// - Throws: `.invalidQuery` for a key path that is not a property of the documents, and for
    ///   other errors that the compiler cannot detect.
    public var query: Query { get throws { Query(try statement) } }

    /// The query in SQL++.
    ///
    /// - Throws: the errors of ``query``.
    public var sqlPlusPlus: String { get throws { try query.sqlPlusPlus } }
}
