internal import StoreFormat

// Each of these blocks the thread that calls it until it is done.
extension DataFile {
    /// Runs `body` on a snapshot, which does not move while others write.
    ///
    /// Within another `read` of the same thread it is that one's snapshot.
    ///
    /// Throws what `body` throws, or `StoreError`.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireOpen().read(body) }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
    ///
    /// Within another `write` of the same thread it is a savepoint of that: what it did is undone
    /// if it throws, and committed with the outer one.
    ///
    /// Throws what `body` throws, or `StoreError`: `.notWriteable` for a handle that only reads,
    /// and after a commit that failed; `.unsupported` or `.cannotUpgradeDatabase` for a file that
    /// this version cannot write faithfully, `.busy` when another process keeps the lock for
    /// longer than the timeout.
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T {
        try StoreError.wrapping(path: path) { try requireWriter().write(body) }
    }
}

// For tasks: nothing is blocked. They run on a thread of the connection's own.
extension DataFile {
    /// Runs `body` on a snapshot, which does not move while others write.
    ///
    /// When the task is cancelled, the statement that runs is ended. Throws what `body` throws,
    /// `StoreError` or `CancellationError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireOpen().read(body) }
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws or when
    /// the task is cancelled before the commit.
    ///
    /// Throws what `body` throws, `StoreError` as the other `write`, or `CancellationError`.
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await StoreError.wrapping(path: path) { try await requireWriter().write(body) }
    }
}
