internal import DataFileCore

extension Replicator {
    /// Replicates continuously: changes of either side are transferred as they are made, until the
    /// sequence is no longer iterated or its task is cancelled.
    ///
    /// ```swift
    /// for await status in replicator.start() {
    ///     switch status.phase {
    ///     case .idle: show("up to date")
    ///     case .waiting(let seconds): show("trying again in", seconds, status.lastError as Any)
    ///     default: show(status.report.pushed, status.report.pulled)
    ///     }
    /// }
    /// ```
    ///
    /// After an error that may pass, such as a lost connection, it tries again: after a second at
    /// first, later after up to five minutes. After any other error the sequence ends with the
    /// phase ``ReplicatorStatus/Phase/stopped`` and the error.
    ///
    /// - Returns: the status after each change of it. Of several changes since the last element
    ///   only the newest is returned.
    public func start() -> ReplicatorStatuses { ReplicatorStatuses(self) }
}

/// The statuses of a continuous replication; see ``Replicator/start()``.
public struct ReplicatorStatuses: AsyncSequence, Sendable {
    /// A status.
    public typealias Element = ReplicatorStatus
    /// It does not throw: errors are in the status.
    public typealias Failure = Never

    private let stream: AsyncStream<ReplicatorStatus>
    private let task: Task<Void, Never>

    init(_ replicator: Replicator) {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReplicatorStatus.self, bufferingPolicy: .bufferingNewest(1))
        self.stream = stream
        let task = Task {
            let progress = ReplicationProgress { continuation.yield($0) }
            await ContinuousReplication(replicator: replicator, progress: progress).run()
            continuation.finish()
        }
        self.task = task
        continuation.onTermination = { _ in task.cancel() }
    }

    /// Creates an iterator. Several iterators share the elements.
    public func makeAsyncIterator() -> Iterator {
        Iterator(stream: stream.makeAsyncIterator(), task: task)
    }

    /// Waits for statuses.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var stream: AsyncStream<ReplicatorStatus>.Iterator
        fileprivate let task: Task<Void, Never>

        /// The next status; nil after the end of the replication, which may be started again then.
        public mutating func next() async -> ReplicatorStatus? {
            if let status = await stream.next(isolation: #isolation) { return status }
            await task.value
            return nil
        }
    }
}

/// Replicates again and again.
private struct ContinuousReplication {
    /// After this time the remote is asked even without a sign of a change.
    private static let seconds = 60.0

    let replicator: Replicator
    let progress: ReplicationProgress

    func run() async {
        let changes = FileChanges(replicator.file)
        defer { changes.cancel() }
        do {
            try await replicateAgain(
                ReplicatorRun(replicator, progress, changes), changes.signal)
        } catch is CancellationError {
            // The application ended it.
        } catch {
            progress.update { $0.lastError = error }
        }
        progress.update { $0.phase = .stopped }
    }

    /// - Parameter signal: set after changes of the file.
    private func replicateAgain(_ run: ReplicatorRun, _ signal: ChangeSignal) async throws {
        var delay = RetryDelay()
        while true {
            do {
                try await run.connected { session in
                    while true {
                        try await run.replicate(session)
                        delay.reset()
                        progress.update { $0.phase = .idle }
                        try await waitForChange(session, signal)
                    }
                }
            } catch let error as ReplicationError where error.isTransient {
                try Task.checkCancellation()
                let seconds = delay.next()
                progress.update { status in
                    status.lastError = error
                    status.phase = .waiting(seconds: seconds)
                }
                try await Task.sleep(for: .seconds(seconds))
            }
        }
    }

    /// Waits until the file or the remote may have changed.
    private func waitForChange(
        _ session: any ReplicationSession, _ signal: ChangeSignal
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await session.waitForChange(seconds: Self.seconds) }
            group.addTask { await signal.wait() }
            try await group.next()
            group.cancelAll()
        }
        try Task.checkCancellation()
    }
}
