public import DocumentStore

/// The measurements of an OONI Probe: the descriptors that were run, their results, and what still
/// has to be uploaded.
///
/// ```swift
/// let store = try OONIStore(path: "probe.cblite2")
/// let result = try store.write { transaction in
///     let card = OONIStore.DescriptorReference(name: "websites")
///     return try store.results.insert(card, at: now, in: transaction)
/// }
/// let newest = try store.read { try store.results.page(in: $0) }
/// ```
/// All data is in collections of the scope `ooni` of one file, which other programs can open as a
/// Couchbase Lite database. Reading takes a `Snapshot` and writing a `Transaction`, so that related
/// reads are consistent and related writes are atomic.
public struct OONIStore: Sendable {
    /// The file.
    public let file: DataFile
    let schema: ProbeSchema

    init(file: DataFile, schema: ProbeSchema) {
        (self.file, self.schema) = (file, schema)
    }

    /// Reads in one snapshot, which does not change while others write.
    ///
    /// Blocks the calling thread, but never waits for a writer. The snapshot is valid only within
    /// `body`; keep it short, since an open snapshot prevents the WAL from being reset. In a task
    /// use the asynchronous variant.
    ///
    /// - Parameter body: reads the store.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try file.read(body) }

    /// Writes in one transaction, which is committed when `body` returns and rolled back if it
    /// throws.
    ///
    /// Blocks the calling thread while other writers of this or another process are active. Each
    /// commit has a fixed cost, so combine related changes in one transaction.
    ///
    /// - Parameter body: changes the store; the transaction is valid only within it.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T { try file.write(body) }

    /// The asynchronous variant, which does not block a thread on the disk.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await file.read(body)
    }

    /// The asynchronous variant, which does not block a thread on the disk.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await file.write(body)
    }
}
