public import DataFileCore
internal import Dispatch
internal import SQLCore
internal import StorePlatform

extension DataFile {
    /// Returns the rows of a query as an asynchronous sequence. Each iteration reads a snapshot of
    /// its own, on a connection that it holds until its end.
    ///
    /// ```swift
    /// for try await row in file.rows(of: query, ["least": 18]) { print(row["name"]) }
    /// ```
    /// At most a few hundred rows are buffered: a slow reader makes SQLite wait. When the task is
    /// cancelled or leaves the loop, SQLite stops. The query starts with the iteration, which also
    /// throws its errors.
    ///
    /// A snapshot that is held for a long time prevents the WAL from being reset, so do not wait
    /// for external events in the loop. If the rows are needed for longer, collect them by
    /// ``all(of:_:limits:)`` or read pages by ``Query/page(of:after:in:_:limits:)``.
    ///
    /// - Parameters:
    ///   - query: the query, a `SELECT`.
    ///   - parameters: values for its parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Returns: a sequence, which can be iterated over several times and runs the query each
    ///   time.
    public func rows(
        of query: Query, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) -> QueryRowStream {
        QueryRowStream { channel in
            try await self.read { snapshot in
                let rows = try query.rows(in: snapshot, parameters, limits: limits)
                try channel.send(rows)
            }
        }
    }

    /// Returns all rows of a query, read in one snapshot.
    ///
    /// ```swift
    /// let rows = try await file.all(of: query, ["least": 18])
    /// print(rows.count, rows.first?["name"] ?? .missing)
    /// ```
    /// The function does not block the thread of the caller; the rows are read on a connection's
    /// own. For many rows use ``rows(of:_:limits:)``, which does not collect them in memory. For
    /// several queries of the same state use one snapshot:
    ///
    /// ```swift
    /// let counts = try await file.read { snapshot in
    ///     try ["people", "orders"].map { name in
    ///         try Query("SELECT COUNT(*) FROM _", in: CollectionName(name))
    ///             .rows(in: snapshot).all()[0][0].int
    ///     }
    /// }
    /// show(counts)
    /// ```
    /// - Parameters:
    ///   - query: the query, a `SELECT`.
    ///   - parameters: values for its parameters; a parameter without a value is missing.
    ///   - limits: the limits of the run; none by default.
    /// - Returns: the rows, which remain valid after the file is closed.
    /// - Throws: the errors of ``Query/rows(in:_:limits:)`` and ``QueryRows/next()``, and
    ///   `CancellationError`.
    public func all(
        of query: Query, _ parameters: QueryParameters = [:], limits: QueryLimits = .none
    ) async throws -> [ResultRow] {
        try await read { try query.rows(in: $0, parameters, limits: limits).all() }
    }
}

/// The rows of a query as an asynchronous sequence, from ``DataFile/rows(of:_:limits:)``.
///
/// ```swift
/// let names = file.rows(of: query).compactMap { $0["name"].string }.prefix(10)
/// for try await name in names { print(name) }
/// ```
/// Each iteration runs the query again, in a snapshot of its own: its rows are those of one state
/// of the file. The sequence itself is a value without state; it can be stored and sent to other
/// tasks.
///
/// The iteration throws the errors of ``Query/rows(in:_:limits:)`` and ``QueryRows/next()``, and
/// `CancellationError` if the task is cancelled.
public struct QueryRowStream: AsyncSequence, Sendable {
    /// A row, which owns its values.
    public typealias Element = ResultRow
    /// Any error of the query.
    public typealias Failure = any Error

    private let run: @Sendable (RowChannel) async throws -> Void

    init(_ run: @escaping @Sendable (RowChannel) async throws -> Void) {
        self.run = run
    }

    /// Returns an iterator; the query starts with the first call of its `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(run) }

    /// Reads the rows; the query ends when the iterator is released.
    ///
    /// ```swift
    /// var iterator = file.rows(of: query).makeAsyncIterator()
    /// while let row = try await iterator.next() { show(row) }
    /// ```
    public struct Iterator: AsyncIteratorProtocol {
        private let run: RowRun
        private var batch: ArraySlice<ResultRow> = []

        fileprivate init(_ run: @escaping @Sendable (RowChannel) async throws -> Void) {
            self.run = RowRun(run)
        }

        /// Returns the next row; nil at the end.
        ///
        /// - Throws: the error that ended the query, or `CancellationError`.
        public mutating func next() async throws -> ResultRow? {
            try await next(isolation: #isolation)
        }

        /// Returns the next row on the actor of the caller; see ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> ResultRow? {
            if batch.isEmpty {
                guard let next = try await run.next() else { return nil }
                batch = next[...]
            }
            return batch.popFirst()
        }
    }
}

/// A query that runs in a task of its own for one reader.
private final class RowRun: Sendable {
    private let channel = RowChannel()
    private let run: @Sendable (RowChannel) async throws -> Void
    private let task = Locked<Task<Void, Never>?>(nil)

    init(_ run: @escaping @Sendable (RowChannel) async throws -> Void) {
        self.run = run
    }

    deinit {
        stop()
    }

    private func stop() {
        channel.stop()
        task.withLock { $0 }?.cancel()
    }

    private func startOnce() {
        task.withLock { [run, channel] task in
            guard task == nil else { return }
            task = Task {
                do {
                    try await run(channel)
                    channel.finish(nil)
                } catch {
                    channel.finish(error)
                }
            }
        }
    }

    func next() async throws -> [ResultRow]? {
        try Task.checkCancellation()
        startOnce()
        return try await withTaskCancellationHandler {
            try await channel.next()
        } onCancel: {
            stop()
        }
    }
}

/// A buffer between the connection's thread and a task; the thread waits while the buffer is full.
final class RowChannel: Sendable {
    private struct State {
        var batches: [[ResultRow]] = []
        var waiter: CheckedContinuation<[ResultRow]?, any Error>?
        var result: Result<Void, any Error>?
        var isStopped = false
        var senderWaits = false
    }

    private let state = Locked(State())
    private let space = DispatchSemaphore(value: 0)
    private static let mostBatches = 2
    private static let largestBatch = 128

    /// Sends all rows: the first ones at once, later ones in batches.
    func send(_ rows: QueryRows) throws {
        var size = 1
        var batch: [ResultRow] = []
        while let row = try rows.next() {
            batch.append(row)
            guard batch.count >= size else { continue }
            try send(batch)
            batch.removeAll(keepingCapacity: true)
            size = min(size * 4, Self.largestBatch)
        }
        if !batch.isEmpty { try send(batch) }
    }

    private func send(_ batch: [ResultRow]) throws {
        while true {
            let answer = state.withLock {
                state -> (CheckedContinuation<[ResultRow]?, any Error>?, Bool) in
                if state.isStopped { return (nil, false) }
                if let waiter = state.waiter {
                    state.waiter = nil
                    return (waiter, false)
                }
                guard state.batches.count < Self.mostBatches else {
                    state.senderWaits = true
                    return (nil, true)
                }
                state.batches.append(batch)
                return (nil, false)
            }
            answer.0?.resume(returning: batch)
            if state.withLock({ $0.isStopped }) { throw CancellationError() }
            guard answer.1 else { return }
            space.wait()
        }
    }

    /// Marks the end of the rows.
    func finish(_ error: (any Error)?) {
        let waiter = state.withLock { state in
            state.result = error.map { .failure($0) } ?? .success(())
            defer { state.waiter = nil }
            return state.waiter
        }
        guard let waiter else { return }
        error.map { waiter.resume(throwing: $0) } ?? waiter.resume(returning: nil)
    }

    /// Stops the query; the reader is gone.
    func stop() {
        let (waiter, senderWaits) = state.withLock { state in
            state.isStopped = true
            defer {
                state.waiter = nil
                state.senderWaits = false
            }
            return (state.waiter, state.senderWaits)
        }
        if senderWaits { space.signal() }
        waiter?.resume(throwing: CancellationError())
    }

    /// Returns the next rows; nil at the end.
    func next() async throws -> [ResultRow]? {
        try await withCheckedThrowingContinuation { continuation in
            let (answer, senderWaits) = state.withLock { take(&$0, or: continuation) }
            if senderWaits { space.signal() }
            if let answer { continuation.resume(with: answer) }
        }
    }

    private func take(
        _ state: inout State, or waiter: CheckedContinuation<[ResultRow]?, any Error>
    ) -> (Result<[ResultRow]?, any Error>?, Bool) {
        if state.isStopped { return (.failure(CancellationError()), false) }
        if !state.batches.isEmpty {
            defer { state.senderWaits = false }
            return (.success(state.batches.removeFirst()), state.senderWaits)
        }
        if let result = state.result { return (result.map { nil }, false) }
        state.waiter = waiter
        return (nil, false)
    }
}
