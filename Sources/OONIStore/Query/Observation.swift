public import DocumentStore

extension OONIStore {
    /// Observes a value of the store: yields it now and after each commit that changes it,
    /// whichever connection commits.
    ///
    /// ```swift
    /// for try await newest in probe.observe({ try probe.results.latest(in: $0) }) { show(newest) }
    /// ```
    ///
    /// Every value that can be read can be observed. After a commit that has changed one of the
    /// observed collections, the value is read again in a new snapshot; it is yielded only if it
    /// differs from the previous one. While the caller is busy, only the newest value is buffered.
    /// Commits of other processes are observed, too.
    ///
    /// Specify the collections if the value is expensive to read, and others change more often:
    ///
    /// ```swift
    /// let counts = probe.observe(of: [probe.results.collection]) {
    ///     try probe.results.notViewedCount(in: $0)
    /// }
    /// for try await count in counts { show(count) }
    /// ```
    ///
    /// The sequence ends when its task is cancelled or the file is closed, and fails with the error
    /// of `read`. The removal of expired documents does not notify observers.
    ///
    /// - Parameters:
    ///   - observed: the collections that the value depends on, such as
    ///     `[store.results.collection]`; nil for the whole store. Changes of other collections are
    ///     ignored.
    ///   - read: reads the value, once for each commit that may have changed it.
    /// - Returns: the values, beginning with the current one.
    public func observe<Value: Equatable & Sendable>(
        of observed: [DocumentCollection]? = nil,
        _ read: @escaping @Sendable (Snapshot) throws -> Value
    ) -> AsyncThrowingStream<Value, any Error> {
        AsyncThrowingStream(Value.self, bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                let stores = (observed ?? schema.ofValues).map(\.keyStore)
                do {
                    try await tell(stores, read) { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func tell<Value: Equatable & Sendable>(
        _ stores: [KeyStore],
        _ read: @escaping @Sendable (Snapshot) throws -> Value,
        _ tell: @Sendable (Value) -> Void
    ) async throws {
        // Subscribes before the first value is read, so that no commit is missed.
        let changes = try await file.changes(of: stores)
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        signal.yield()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for stream in changes {
                group.addTask {
                    for await _ in stream { signal.yield() }
                    signal.finish()
                }
            }
            var last: Value?
            for await _ in signals {
                guard let value = try await valueUnlessClosed(read) else { break }
                if value != last { tell(value) }
                last = value
            }
            group.cancelAll()
        }
    }

    /// Nil if the file was closed right after the commit.
    private func valueUnlessClosed<Value: Sendable>(
        _ read: @escaping @Sendable (Snapshot) throws -> Value
    ) async throws -> Value? {
        do {
            return try await file.read(read)
        } catch let error as StoreError where error.has(.notOpen) {
            return nil
        }
    }
}
