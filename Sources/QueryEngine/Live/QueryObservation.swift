public import DataFileCore

extension DataFile {
    /// The result of a query now and after each change of it.
    ///
    /// ```swift
    /// for try await adults in file.observe(query, ["least": 18]) {
    ///     print(adults.count, adults.difference?.inserted.count ?? 0)
    /// }
    /// ```
    /// - Parameters:
    ///   - query: the query.
    ///   - parameters: values for its parameters.
    ///   - limits: how much each run of it may take.
    ///   - minimumInterval: the shortest time from one result to the next; what is committed
    ///     meanwhile is told of at its end.
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
    /// The result now and after each change of it; see `DataFile.observe`.
    public func observe(
        in file: DataFile, _ parameters: QueryParameters = [:], limits: QueryLimits = .none,
        minimumInterval: Duration = .zero
    ) -> QueryObservation {
        file.observe(self, parameters, limits: limits, minimumInterval: minimumInterval)
    }
}

/// The results of a live query: first the one of the moment when it is asked for, then one for each
/// change of it, whoever commits it.
///
/// What comes while an observer is busy is merged: it gets the newest result, and how that differs
/// from the one that it had. Nothing comes if nothing has changed. All who observe the same query
/// with the same parameters share one run of it.
///
/// The sequence ends when the task is cancelled or the file is closed, and with the error of a
/// query that fails, as when its collection is deleted.
public struct QueryObservation: AsyncSequence, Sendable {
    /// A result.
    public typealias Element = QueryResults
    /// What the query throws.
    public typealias Failure = any Error

    private let begin: @Sendable () throws -> LiveObserver

    init(_ begin: @escaping @Sendable () throws -> LiveObserver) {
        self.begin = begin
    }

    /// Begins to observe, until the iterator is let go.
    public func makeAsyncIterator() -> Iterator { Iterator(Result { try begin() }) }

    /// Waits for results.
    public struct Iterator: AsyncIteratorProtocol {
        private let observer: Result<LiveObserver, any Error>
        private var isAtEnd = false

        fileprivate init(_ observer: Result<LiveObserver, any Error>) {
            self.observer = observer
        }

        /// The next result; nil when the file is closed or the task cancelled.
        ///
        /// Throws what `Query.rows` does, `.notOpen` if the file was closed before.
        public mutating func next() async throws -> QueryResults? {
            try await next(isolation: #isolation)
        }

        /// The same, for `for await` within an actor.
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
