public import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat

extension Query {
    /// Runs the query in a snapshot and returns its rows in sequence.
    ///
    /// ```swift
    /// let adults = try Query("SELECT name, age FROM people WHERE age >= $least ORDER BY age")
    /// try file.read { snapshot in
    ///     let rows = try adults.rows(in: snapshot, ["least": 18])
    ///     while let row = try rows.next() { print(row["name"], row["age"]) }
    /// }
    /// ```
    /// SQLite computes each row when it is requested, so reading a part of the rows costs only that
    /// part, unless the query sorts or groups. All rows are those of the snapshot, whatever is
    /// written meanwhile; in a transaction they include its own changes. The compiled statement is
    /// cached with the connection, so running the same query again costs neither parsing nor
    /// planning.
    ///
    /// A query of a user should have limits, since a join without a condition runs for a very long
    /// time:
    ///
    /// ```swift
    /// let limits = QueryLimits(seconds: 2, rows: 10_000, bytes: 1 << 26)
    /// do {
    ///     show(try query.rows(in: snapshot, limits: limits).all())
    /// } catch let error as StoreError where error.has(.queryLimitExceeded) {
    ///     print("the query is too expensive:", error)
    /// }
    /// ```
    /// Tasks use ``DataFile/rows(of:_:limits:)``. To read in pages, use
    /// ``page(of:after:in:_:limits:)``; to receive later results as well,
    /// ``DataFile/observe(_:_:limits:minimumInterval:)``.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot, or a transaction.
    ///   - parameters: values for the parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Returns: the rows, valid within the snapshot.
    /// - Throws: `.invalidQuery` for a query that is invalid for this file, `.notFound` if a
    ///   collection and `.missingIndex` if a full-text or vector index does not exist; their
    ///   underlying `QuerySemanticError` states the position in the text. `.invalidQueryParameter`
    ///   for parameters that the query does not have, and `.unsupported` for an `UPDATE` or
    ///   `DELETE`, which ``run(in:_:limits:)`` executes. Other errors occur while the rows are
    ///   read; see ``QueryRows/next()``.
    public func rows(
        in snapshot: Snapshot, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) throws -> QueryRows {
        guard case .select = statement else {
            throw StoreError(
                .unsupported, "an UPDATE or DELETE has no rows; run(in:) runs it in a transaction")
        }
        return try rows(in: snapshot, parameters, limits, TranslationOptions(), changed: nil)
    }

    /// Runs the query with options.
    ///
    /// - Parameter changed: the IDs of the documents to read, if the options restrict the query to
    ///   them.
    func rows(
        in snapshot: Snapshot, _ parameters: QueryParameters, _ limits: QueryLimits,
        _ options: TranslationOptions, changed: [String]?
    ) throws -> QueryRows {
        let prepared = try prepared(in: snapshot, options.with(parameters))
        try parameters.requireKnown(prepared.parameters)
        return try QueryRows(prepared, snapshot, parameters, limits, changed: changed)
    }

    /// The SQL statement that SQLite runs for the query, for diagnostics. It is specific to the
    /// schema of the file; ``explain(in:_:)`` describes how SQLite executes it.
    ///
    /// ```swift
    /// let query = try Query("SELECT name FROM people WHERE age > 80")
    /// print(try query.sql(in: snapshot))
    /// ```
    /// It calls functions that only this library registers, so the shell of SQLite cannot run it.
    ///
    /// - Parameter snapshot: the snapshot, or a transaction.
    /// - Throws: `.invalidQuery`, also for an `UPDATE` or `DELETE`; `.notFound` if a collection
    ///   does not exist.
    public func sql(in snapshot: Snapshot) throws -> String {
        try snapshot.prepared(self, TranslationOptions()).sql
    }

    /// The column names of the result, as in ``ResultRow/columnNames``, without running the query.
    ///
    /// ```swift
    /// let query = try Query("SELECT name.last, age + 1 AS next, age * 2 FROM people")
    /// print(try query.columnNames(in: snapshot))  // ["last", "next", "$1"]
    /// ```
    /// - Parameter snapshot: the snapshot, or a transaction.
    /// - Returns: the names, each different from all others.
    /// - Throws: `.invalidQuery`, also for an `UPDATE` or `DELETE`; `.notFound` if a collection
    ///   does not exist.
    public func columnNames(in snapshot: Snapshot) throws -> [String] {
        try snapshot.prepared(self, TranslationOptions()).columns.columnNames
    }
}

extension Query {
    /// The query in SQL, for the current schema of the file.
    func prepared(
        in snapshot: Snapshot, _ options: TranslationOptions
    ) throws -> PreparedQuery {
        try preparedWithOptions(in: snapshot, options).0
    }

    /// The query in SQL, and the options that it needed: without indexes if they have ambiguous
    /// values.
    func preparedWithOptions(
        in snapshot: Snapshot, _ options: TranslationOptions
    ) throws -> (PreparedQuery, TranslationOptions) {
        let prepared = try snapshot.prepared(self, options)
        guard try prepared.guards.contains(where: { try $0.hasRow() }) else {
            return (prepared, options)
        }
        var options = options
        options.avoidsIndexes = true
        return (try snapshot.prepared(self, options), options)
    }
}

extension SQLStatement {
    /// Whether the query returns a row.
    fileprivate func hasRow() throws -> Bool {
        defer { reset() }
        return try next()
    }
}

extension TranslationOptions {
    /// The same options for a run with these parameters.
    func with(_ parameters: QueryParameters) -> Self {
        guard !parameters.values.isEmpty else { return self }
        var options = self
        for (name, value) in parameters.values { options.parameters.note(value, name) }
        // Prepared queries are cached by their options, which must not depend on a dictionary's
        // order.
        options.parameters.sort()
        return options
    }
}

extension ParameterTypes {
    fileprivate mutating func note(_ value: QueryValue, _ name: String) {
        switch value {
        case .boolean: forms[name] = .boolean
        case .unsigned(let number) where number > UInt64(Int64.max): forms[name] = .unsigned
        case .string: plain.append(name)
        case .integer(let number) where QueryLiteral.integer(number).isPlain: plain.append(name)
        case .real(let number) where QueryLiteral.real(number).isPlain: plain.append(name)
        case .array(let array) where !array.allSatisfy({ $0.isPlain }): oddLists.append(name)
        default: break
        }
    }

    fileprivate mutating func sort() {
        if plain.count > 1 { plain.sort() }
        if oddLists.count > 1 { oddLists.sort() }
    }
}

extension QueryParameters {
    fileprivate func requireKnown(_ names: Set<String>) throws {
        guard !values.keys.allSatisfy(names.contains),
            let name = values.keys.sorted().first(where: { !names.contains($0) })
        else { return }
        let known = names.sorted().map { "$" + $0 }.joined(separator: ", ")
        throw StoreError(
            .invalidQueryParameter,
            "the query has no parameter $\(name); "
                + (known.isEmpty ? "it has none" : "it has \(known)"))
    }
}

extension FleeceValue {
    /// Whether SQL compares it like JSON, or finds more.
    fileprivate var isPlain: Bool {
        switch kind {
        case .string, .null, .bool: true
        case .integer, .double: double.map { QueryLiteral.real($0).isPlain } ?? false
        default: false
        }
    }
}
