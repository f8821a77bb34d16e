internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

// The same for tasks: they run on a thread of the connection's own, and end when the task is
// cancelled, with everything as it was before.
extension DataFile {
    /// Gives room that is not used any more back to the file system, and removes the blobs that
    /// nothing in the file refers to.
    ///
    /// Errors as the other `compact`; `CancellationError`: what was given back by then stays so.
    @discardableResult
    public func compact(isExplicit: Bool = true) async throws -> CompactionResult {
        try await compact(isExplicit: isExplicit) { _ in }
    }

    /// Writes the whole file again. Errors as the other `rewrite`.
    public func rewrite() async throws { try await rewrite { _ in } }

    /// Tells SQLite how the values of the indexes are spread, from which it chooses among them.
    public func optimize(isThorough: Bool = false) async throws {
        try await optimize(isThorough: isThorough) { _ in }
    }

    /// Makes all indexes again from the rows. Errors as the other `reindex`.
    public func reindex() async throws { try await reindex { _ in } }

    /// Looks for damage, in all pages of the file. What it finds is no error.
    ///
    /// - Parameter limit: the most findings; it ends with that one.
    public func integrityCheck(limit: Int = 100) async throws -> IntegrityReport {
        try await withReaderSession { session in
            try session.boundingForeignSchema {
                try IntegrityCheck(context: session.context, limit: limit).run()
            }
        }
    }

    /// How much the file holds, and where, on one snapshot.
    public func statistics() async throws -> FileStatistics {
        let wal = size.wal
        return try await withReaderContext { context in
            try context.transaction(.deferred) {
                try StatisticsReader(context: context, walBytes: wal).run()
            }
        }
    }

    /// Copies the database, as it is at this moment, to a new directory. Errors as the other `copy`.
    ///
    /// - Parameters:
    ///   - path: the new directory, where nothing may be yet.
    ///   - newUUIDs: whether the copy is a database of its own.
    ///   - progress: called now and then; false cancels, as cancelling the task does.
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

// The same for whoever wants to know that SQLite is at work: it calls `tick` every now and then, on
// the connection's thread, with how many operations of its machine it has done since the last time.
extension DataFile {
    /// As `compact`.
    package func compact(
        isExplicit: Bool = true, tick: @escaping @Sendable (_ operations: Int) -> Void
    ) async throws -> CompactionResult {
        let path = path
        let blobs = isExplicit ? shared.blobs : nil
        return try await withWriterContext(tick) {
            try Compaction(context: $0, path: path, isExplicit: isExplicit, blobs: blobs).run()
        }
    }

    /// As `rewrite`.
    package func rewrite(tick: @escaping @Sendable (_ operations: Int) -> Void) async throws {
        let path = path
        try await withWriterContext(tick) { try Self.rewrite($0, path) }
    }

    /// As `optimize`.
    package func optimize(
        isThorough: Bool = false, tick: @escaping @Sendable (_ operations: Int) -> Void
    ) async throws {
        try await withWriterContext(tick) {
            try Optimization.analyze($0, isThorough: isThorough)
        }
    }

    /// As `reindex`.
    package func reindex(tick: @escaping @Sendable (_ operations: Int) -> Void) async throws {
        let path = path
        try await withWriterContext(tick) { try Reindexing.run($0, path: path) }
    }
}

extension DataFile {
    private func withReaderContext<T: Sendable>(
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await withReaderSession { try body($0.context) }
    }

    private func withReaderSession<T: Sendable>(
        _ body: @escaping @Sendable (Session) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) {
            let path = path
            return try await requireOpen().readers.withPooledConnection { member in
                let session = try member.session(path)
                session.functions.forgetKeys()
                return try body(session)
            }
        }
    }

    private func withWriterContext<T: Sendable>(
        _ tick: @escaping @Sendable (Int) -> Void,
        _ body: @escaping @Sendable (SQLContext) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) {
            let shared = try requireWriter()
            return try await shared.requireWriters().withPooledConnection { member in
                try shared.withWriterContext(on: member) { context in
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
