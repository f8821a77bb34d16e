internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

// The asynchronous forms. They run on the connection's own thread; cancelling the task ends them
// without a change.
extension DataFile {
    /// Returns free pages to the file system, and removes the blobs that nothing in the file refers
    /// to.
    ///
    /// The asynchronous form: it runs on the writing connection's own thread. Cancelling the task
    /// ends it; pages that were returned stay returned, and the file is consistent.
    ///
    /// ```swift
    /// let task = Task { try await file.compact() }
    /// try await Task.sleep(for: .seconds(10))
    /// task.cancel()
    /// ```
    ///
    /// - Parameter isExplicit: false ignores blobs, and returns pages only if a quarter of them or
    ///   10 MB are free; true (default) always compacts.
    /// - Returns: what was removed.
    /// - Throws: as the synchronous form, or `CancellationError`.
    @discardableResult
    public func compact(isExplicit: Bool = true) async throws -> CompactionResult {
        try await compact(isExplicit: isExplicit) { _ in }
    }

    /// Rewrites the whole file with `VACUUM`, on the writing connection's own thread.
    ///
    /// Cancelling the task leaves the file unchanged. Throws as the synchronous form, or
    /// `CancellationError`.
    public func vacuum() async throws { try await vacuum { _ in } }

    /// Updates the planner statistics, which SQLite uses to choose among indexes, with `ANALYZE`.
    ///
    /// ```swift
    /// try await file.optimize()
    /// ```
    ///
    /// - Parameter isThorough: whether to read all rows instead of a sample; false by default.
    /// - Throws: as the synchronous form, or `CancellationError`.
    public func optimize(isThorough: Bool = false) async throws {
        try await optimize(isThorough: isThorough) { _ in }
    }

    /// Rebuilds all indexes from the rows, with `REINDEX`. Throws as the synchronous form, or
    /// `CancellationError`; nothing is changed then.
    public func reindex() async throws { try await reindex { _ in } }

    /// Checks all pages of the file for damage, which it returns as findings.
    ///
    /// ```swift
    /// let isIntact = try await file.integrityCheck(limit: 1).isIntact
    /// ```
    ///
    /// - Parameter limit: the maximum number of findings, after which it stops; 100 by default.
    /// - Returns: the findings; none for an intact file.
    /// - Throws: ``StoreError`` if the file cannot be read at all; `CancellationError`.
    public func integrityCheck(limit: Int = 100) async throws -> IntegrityReport {
        try await withReaderConnection { connection in
            try connection.boundingForeignSchema {
                try IntegrityCheck(context: connection.context, limit: limit).run()
            }
        }
    }

    /// Measures the contents of the file on one snapshot. Reads all rows, but not all of their
    /// bytes.
    ///
    /// Throws as the synchronous form, or `CancellationError`.
    public func statistics() async throws -> FileStatistics {
        let wal = size.wal
        return try await withReaderContext { context in
            try context.transaction(.deferred) {
                try StatisticsReader(context: context, walBytes: wal).run()
            }
        }
    }

    /// Copies the current state of the database to a new directory, as a backup or a template.
    ///
    /// ```swift
    /// try await file.copy(to: path) { progress in
    ///     show("\(progress.copiedPages) of \(progress.totalPages) pages")
    ///     return true
    /// }
    /// ```
    ///
    /// The same as the synchronous form, on a reading connection's own thread: others read and
    /// write meanwhile, and the target exists only when it is complete.
    ///
    /// - Parameters:
    ///   - path: the new directory, which must not exist.
    ///   - newUUIDs: whether the copy gets an identity of its own; false by default, as for a
    ///     backup.
    ///   - progress: called after each 256 pages, on the connection's thread; return false to
    ///     cancel, which is the same as cancelling the task.
    /// - Throws: as the synchronous form; `CancellationError` if it was cancelled. Nothing is left
    ///   then.
    public func copy(
        to path: String, newUUIDs: Bool = false,
        progress: @escaping @Sendable (CopyProgress) throws -> Bool = { _ in true }
    ) async throws {
        let bundle = shared.isInMemory ? nil : BundlePath(self.path)
        let blobs = shared.blobs
        let key = options.encryption
        try await withReaderContext { context in
            let copy = BundleCopy(
                source: context, bundle: bundle, newUUIDs: newUUIDs, progress: progress,
                key: key, blobs: blobs)
            try copy.run(to: BundlePath(path))
        }
    }
}

// The same with progress: they call `tick` periodically on the connection's thread, with the number
// of virtual machine operations that SQLite has executed since the last call.
extension DataFile {
    /// `compact` with progress.
    package func compact(
        isExplicit: Bool = true, tick: @escaping @Sendable (_ operations: Int) -> Void
    ) async throws -> CompactionResult {
        let path = path
        let blobs = isExplicit ? shared.blobs : nil
        return try await withWriterContext(tick) {
            try Compaction(context: $0, path: path, isExplicit: isExplicit, blobs: blobs).run()
        }
    }

    /// `vacuum` with progress.
    package func vacuum(tick: @escaping @Sendable (_ operations: Int) -> Void) async throws {
        let path = path
        try await withWriterContext(tick) { try Self.vacuum($0, path) }
    }

    /// `optimize` with progress.
    package func optimize(
        isThorough: Bool = false, tick: @escaping @Sendable (_ operations: Int) -> Void
    ) async throws {
        try await withWriterContext(tick) {
            try Optimization.analyze($0, isThorough: isThorough)
        }
    }

    /// `reindex` with progress.
    package func reindex(tick: @escaping @Sendable (_ operations: Int) -> Void) async throws {
        let path = path
        try await withWriterContext(tick) { try Reindexing.run($0, path: path) }
    }
}

extension DataFile {
    private func withReaderContext<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await withReaderConnection { try body($0.context) }
    }

    private func withReaderConnection<T: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) {
            try await requireOpen().readers.withPooledConnection { connection in
                connection.functions.forgetKeys()
                return try body(connection)
            }
        }
    }

    private func withWriterContext<T: Sendable>(
        _ tick: @escaping @Sendable (Int) -> Void,
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) {
            let shared = try requireWriter()
            return try await shared.requireWriters().withPooledConnection { connection in
                try shared.withWriterContext(on: connection) { context in
                    try context.withProgress {
                        tick($0)
                        return true
                    } body: {
                        try body(context)
                    }
                }
            }
        }
    }
}
