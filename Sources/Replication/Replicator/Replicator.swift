public import DataFileCore

/// Replicates collections of a file with an endpoint, once or continuously.
///
/// ```swift
/// let replicator = Replicator(
///     file, to: endpoint,
///     collections: [
///         ReplicatedCollection(people),
///         ReplicatedCollection(events, direction: .push),
///     ])
/// let report = try await replicator.run()
/// show(report.pushed, report.pulled, report.conflictCount)
/// ```
///
/// Changes of the file are sent with the revision that they replace at the remote, which refuses
/// them if it has another one. Changes of the remote are written under their own revisions. A
/// document that both sides changed is a conflict, which the collection's ``ConflictResolver``
/// resolves. A checkpoint on each side records what is done, so that the next replication continues
/// there; a replication that is interrupted at any time repeats a batch at most, and repeating
/// changes nothing.
///
/// See `docs/replication.md`.
public final class Replicator: Sendable {
    let file: DataFile
    let endpoint: any ReplicationEndpoint
    let selection: CollectionSelection

    /// Creates a replicator, which does nothing until it is run or started.
    ///
    /// - Parameters:
    ///   - file: the file; it must stay open.
    ///   - endpoint: where to replicate to.
    ///   - collections: the collections, one after the other.
    public init(
        _ file: DataFile, to endpoint: any ReplicationEndpoint, collections: [ReplicatedCollection]
    ) {
        self.file = file
        self.endpoint = endpoint
        selection = .named(collections)
    }

    /// Creates a replicator of all collections that the file or the endpoint has, also of those
    /// that are created during a continuous replication: it finds one of the file within a minute.
    ///
    /// ```swift
    /// let replicator = Replicator(file, to: endpoint) { collection in
    ///     collection.name.scope == "local" ? nil : ReplicatedCollection(collection)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - file: the file; it must stay open.
    ///   - endpoint: where to replicate to.
    ///   - settings: returns the settings of a collection; nil to leave it out. Called each time.
    public init(
        _ file: DataFile, to endpoint: any ReplicationEndpoint,
        allCollections settings:
            @escaping @Sendable (DocumentCollection) throws
            -> ReplicatedCollection?
    ) {
        self.file = file
        self.endpoint = endpoint
        selection = .all(settings)
    }

    /// Replicates once: transfers all changes of both sides.
    ///
    /// Cancelling the task ends it within a statement.
    ///
    /// - Parameter observe: called with each status.
    /// - Returns: what was done. Documents that one side did not accept are listed, and do not stop
    ///   the others.
    /// - Throws: ``ReplicationError``; `StoreError` of the file; `CancellationError`.
    public func run(
        _ observe: @escaping @Sendable (ReplicatorStatus) -> Void = { _ in }
    ) async throws -> ReplicationReport {
        let progress = ReplicationProgress(observe)
        defer { progress.update { $0.phase = .stopped } }
        let run = try await ReplicatorRun(self, progress)
        try await run.connected { session in try await run.replicate(session) }
        return progress.current.report
    }
}
