public import DocumentStore

/// The measurements of an OONI Probe: the descriptors that were run, their results, and what still
/// has to be uploaded.
///
/// A store is six collections in the scope `ooni` of one file, which other programs can open as a
/// Couchbase Lite database:
///
/// - ``descriptors``: what can be run, OONI Run links and the app's cards, with all their
///   revisions.
/// - ``results``: one for each run of a descriptor, with the counts of its measurements.
/// - ``measurements``: one for each test and input of a result.
/// - ``networks``: the networks in which results were measured, without duplicates.
/// - ``urls``: the tested websites, without duplicates.
/// - ``articles``: OONI's news.
///
/// A run of a descriptor is a result, and each test with an input is a measurement of it:
///
/// ```swift
/// let store = try OONIStore(path: "probe.cblite2")
/// let result = try store.write { transaction in
///     let card = OONIStore.DescriptorReference(name: "websites")
///     return try store.results.insert(card, at: .init(Date()), in: transaction)
/// }
/// let measurement = try store.write { transaction in
///     try store.measurements.insert(
///         .webConnectivity, of: result.id, url: "https://ooni.org/", at: .init(Date()),
///         in: transaction)
/// }
/// try store.write { transaction in
///     try store.measurements.update(measurement.id, in: transaction) { $0.isDone = true }
///     try store.results.markAsDone(result.id, in: transaction)
/// }
/// let newest = try store.read { try store.results.page(in: $0) }
/// ```
///
/// Reading takes a `Snapshot` and writing a `Transaction`, so that related reads are consistent and
/// related writes are atomic. Every value that can be read can also be observed with
/// ``observe(of:_:)``.
///
/// The store maintains what belongs together: the counts of a result are those of its measurements,
/// references lead to existing documents, and a number is assigned only once. ``verify(in:)``
/// checks this for files that other programs have written. What violates it is an
/// ``OONIStoreError``; errors of the database are `StoreError`.
///
/// A store is a value without state of its own, which all threads and tasks can use. Copies share
/// the file; it is closed when the last of them is released.
public struct OONIStore: Sendable {
    /// The file, for what is not specific to OONI: its size, its other collections, and queries in
    /// SQL++.
    ///
    /// Write the collections of the scope `ooni` only through the store, which maintains counts and
    /// numbers.
    ///
    /// ```swift
    /// let query = try Query("SELECT COUNT(*) FROM ooni.measurements WHERE isAnomaly = TRUE")
    /// let anomalies = try probe.file.read { try query.rows(in: $0).next()?[0].int }
    /// ```
    public let file: DataFile
    let schema: ProbeSchema

    init(file: DataFile, schema: ProbeSchema) {
        (self.file, self.schema) = (file, schema)
    }

    /// Reads in one snapshot, which does not change while others write.
    ///
    /// Blocks the calling thread, but never waits for a writer of the file. The snapshot is valid
    /// only within `body`; keep it short, since an open snapshot prevents the WAL from being reset.
    /// In a task, the asynchronous variant is called.
    ///
    /// ```swift
    /// let (results, networks) = try probe.read { snapshot in
    ///     (try probe.results.page(in: snapshot).results, try probe.networks.all(in: snapshot))
    /// }
    /// ```
    ///
    /// - Parameter body: reads the store. It must not let the snapshot escape.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`, such as `.notOpen` for a closed file.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try file.read(body) }

    /// Writes in one transaction, which is committed when `body` returns and rolled back if it
    /// throws.
    ///
    /// Blocks the calling thread while other writers of this or another process are active. Each
    /// commit has a fixed cost, so combine related changes in one transaction. Files of the app,
    /// such as reports, are not part of the transaction: remove them after it is committed.
    ///
    /// ```swift
    /// let deleted = try probe.write { try probe.results.delete([resultID], in: $0) }
    /// try removeFiles(deleted.fileNames)
    /// ```
    ///
    /// - Parameter body: changes the store; the transaction is valid only within it, and can be
    ///   used as a snapshot there.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, or a `StoreError`, such as `.notWriteable` for a file that was
    ///   opened read-only.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T { try file.write(body) }

    /// Reads in one snapshot, without blocking a thread of the task on the disk.
    ///
    /// ```swift
    /// let page = try await probe.read { try probe.results.page(limit: 20, in: $0) }
    /// ```
    ///
    /// - Parameter body: reads the store; it runs on a thread that may block.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, a `StoreError`, or `CancellationError`: cancelling the task
    ///   interrupts the running statement.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await file.read(body)
    }

    /// Writes in one transaction, without blocking a thread of the task while other writers are
    /// active.
    ///
    /// ```swift
    /// let count = try await probe.write { try probe.results.markAllAsViewed(in: $0) }
    /// ```
    ///
    /// - Parameter body: changes the store; it runs on a thread that may block.
    /// - Returns: the result of `body`.
    /// - Throws: errors of `body`, a `StoreError`, or `CancellationError` if the task is cancelled
    ///   before the commit. The transaction is rolled back then.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await file.write(body)
    }
}
