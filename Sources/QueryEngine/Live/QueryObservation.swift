public import DataFileCore

extension DataFile {
    /// Observes the result of a query: the current one, and a new one after each commit that
    /// changes it.
    ///
    /// ```swift
    /// for try await adults in file.observe(query, ["least": 18]) {
    ///     print(adults.count, adults.difference?.inserted.count ?? 0)
    /// }
    /// ```
    /// The query starts with the iteration, and ends when the loop is left, its task is cancelled
    /// or the file is closed. Commits of other processes are observed too. A commit reads only the
    /// changed documents again if each row of the query is a document of one collection; queries
    /// with groups, joins, `DISTINCT`, subqueries or `OFFSET` are run again as a whole, so an index
    /// is worth its space for them. `docs/query-live.md` describes the cases.
    ///
    /// A counter or a chart rarely needs each state: an interval reduces the runs of a costly
    /// query.
    ///
    /// ```swift
    /// let count = try Query("SELECT COUNT(*) AS count FROM people")
    /// for try await results in file.observe(count, minimumInterval: .milliseconds(200)) {
    ///     print(results.first?["count"].int ?? 0)
    /// }
    /// ```
    /// To read a result once, use ``DataFile/all(of:_:limits:)``. For the changed documents
    /// themselves rather than the rows of a query, observe the changes of a collection.
    ///
    /// - Parameters:
    ///   - query: the query, a `SELECT`.
    ///   - parameters: values for its parameters; they stay the same, so observe again to change
    ///     them.
    ///   - limits: the limits of each run of the query. Limits of rows or bytes cause a complete
    ///     run after each commit.
    ///   - minimumInterval: the shortest time between two results (default 0); changes that are
    ///     committed in between are delivered together at its end.
    /// - Returns: a sequence, whose iteration throws the errors of the query.
    public func observe(
        _ query: Query, _ parameters: QueryParameters = [:], limits: QueryLimits = .none,
        minimumInterval: Duration = .zero
    ) -> QueryObservation {
        QueryObservation {
            let shared = try self.requireOpen()
            let key = LiveQuery.Key(
                file: ObjectIdentifier(shared), query: query, parameters: parameters,
                limits: limits, minimumInterval: minimumInterval)
            return LiveQueries.ofProcess.observe(key, shared)
        }
    }
}

extension Query {
    /// Observes the result of the query in a file, as
    /// ``DataFile/observe(_:_:limits:minimumInterval:)``.
    ///
    /// ```swift
    /// let adults = try Query("SELECT name FROM people WHERE age >= $least ORDER BY name")
    /// for try await results in adults.observe(in: file, ["least": 18]) {
    ///     print(results.map { $0["name"].string ?? "?" })
    /// }
    /// ```
    /// - Parameters:
    ///   - file: the file.
    ///   - parameters: values for the query's parameters.
    ///   - limits: the limits of each run.
    ///   - minimumInterval: the shortest time between two results; 0 by default.
    /// - Returns: a sequence, whose iteration throws the errors of the query.
    public func observe(
        in file: DataFile, _ parameters: QueryParameters = [:], limits: QueryLimits = .none,
        minimumInterval: Duration = .zero
    ) -> QueryObservation {
        file.observe(self, parameters, limits: limits, minimumInterval: minimumInterval)
    }
}

/// The results of a live query: first the current one, then one for each commit that changes it,
/// whichever process or connection commits it.
///
/// Create it by ``DataFile/observe(_:_:limits:minimumInterval:)``. Creating it costs nothing; each
/// iteration is an observer of its own. All observers of the same query in the same file, with the
/// same parameters, limits and interval, share one run of it and one set of rows.
///
/// ```swift
/// let observation = file.observe(query, ["least": 18])
/// let task = Task {
///     for try await results in observation { show(results.count) }
/// }
/// …
/// task.cancel()
/// ```
/// Changes that arrive while an observer is busy are merged: the observer gets the newest result
/// and its difference from the last one that it received, so results never queue up. A transaction
/// is visible as a whole or not at all. Commits that do not change the result are not delivered,
/// nor are changes that are reverted before they are delivered.
///
/// The sequence ends when the task is cancelled or the file is closed. It throws if the query
/// fails: at the first step if it is invalid for the file, later if a limit is exceeded or its
/// collection is deleted (`.notFound`). After an error or the end, observe again.
public struct QueryObservation: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = QueryResults
    /// Any error of the query.
    public typealias Failure = any Error

    private let begin: @Sendable () throws -> LiveObserver

    init(_ begin: @escaping @Sendable () throws -> LiveObserver) {
        self.begin = begin
    }

    /// Starts to observe, until the iterator is released.
    ///
    /// The first result includes everything that was committed before this call. A file that is
    /// already closed is an error of the first step.
    public func makeAsyncIterator() -> Iterator { Iterator(Result { try begin() }) }

    /// Waits for the results of one observer.
    ///
    /// ```swift
    /// var iterator = file.observe(query).makeAsyncIterator()
    /// let first = try await iterator.next()
    /// let second = try await iterator.next()  // waits for a change
    /// show(first?.count, second?.difference)
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private let observer: Result<LiveObserver, any Error>
        private var isAtEnd = false

        fileprivate init(_ observer: Result<LiveObserver, any Error>) {
            self.observer = observer
        }

        /// Returns the next result; nil when the file is closed or the task is cancelled.
        ///
        /// It returns at once if the result has changed since the last call, and otherwise waits
        /// for a commit. After nil or an error it returns nil.
        ///
        /// - Throws: the errors of ``Query/rows(in:_:limits:)``, and `.notOpen` if the file was
        ///   already closed.
        public mutating func next() async throws -> QueryResults? {
            try await next(isolation: #isolation)
        }

        /// Returns the next result on the actor of the caller.
        ///
        /// A `for try await` loop calls it; see ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> QueryResults? {
            if isAtEnd { return nil }
            isAtEnd = true
            guard let results = try await observer.get().next() else { return nil }
            isAtEnd = false
            return results
        }
    }
}
