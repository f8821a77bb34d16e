internal import DataFileCore
internal import StorePlatform

/// A run of a replicator, during which no other replicator does the same.
struct ReplicatorRun: Sendable {
    let replicator: Replicator
    let identity: LocalIdentity
    let progress: ReplicationProgress
    /// Observes the collections; nil for a single replication.
    private let changes: FileChanges?
    /// Held while the run exists, by the ID of the lock.
    private let locks = Locked<[String: ReplicatorLock]>([:])
    private let lastRetry = Locked<ContinuousClock.Instant?>(nil)

    /// After this time a continuous replication tries documents again that it could not transfer.
    private static let retryInterval = Duration.seconds(300)

    /// Identifies the file, and takes the locks of collections that are named.
    init(
        _ replicator: Replicator, _ progress: ReplicationProgress, _ changes: FileChanges? = nil
    ) async throws {
        let address = replicator.endpoint.address
        var identity = try await replicator.file.write { try LocalIdentity(address, in: $0) }
        identity.revisionText.keepsTreeRevisions = replicator.endpoint is any LegacyRevisionEndpoint
        self.identity = identity
        self.replicator = replicator
        self.progress = progress
        self.changes = changes
        try await prepare(replicator.selection.named)
    }

    /// Creates collections, locks them, and observes their changes.
    private func prepare(_ collections: [ReplicatedCollection]) async throws {
        let (file, identity) = (replicator.file, identity)
        try locks.withLock { locks in
            for settings in collections {
                let id = identity.id(of: settings.collection)
                guard locks[id] == nil else { continue }
                locks[id] = try ReplicatorLock(
                    id, of: file, settings.collection.name.description)
            }
        }
        let collections = collections.map(\.collection)
        let isNew = try await file.read { snapshot in
            try collections.contains { try !$0.exists(in: snapshot) }
        }
        if isNew {
            try await file.write { transaction in
                for collection in collections { try collection.create(in: transaction) }
            }
        }
        try await changes?.observe(collections)
    }

    /// Runs `body` with a session.
    func connected(
        _ body: (any ReplicationSession) async throws -> Void
    ) async throws {
        progress.update { $0.phase = .connecting }
        let database = try await replicator.database(identity, isContinuous: changes != nil)
        try await replicator.endpoint.connected(for: database, body)
    }

    /// Replicates all collections once.
    func replicate(_ session: any ReplicationSession) async throws {
        progress.update { $0.phase = .busy }
        let retries = lastRetry.withLock { last in
            last.map { ContinuousClock.now - $0 >= Self.retryInterval } ?? true
        }
        let collections = try await replicator.selection.collections(replicator.file, session)
        try await prepare(collections)
        for collection in collections {
            try Task.checkCancellation()
            let remote = try await session.open(collection.collection.name)
            let replication = CollectionReplication(
                file: replicator.file, collection: collection, identity: identity, remote: remote,
                progress: progress, checkpoint: replicator.checkpoint(of: collection, identity),
                retries: retries)
            try await replication.run()
        }
        if retries { lastRetry.withLock { $0 = .now } }
        progress.update { status in
            status.lastError = nil
            status.remaining = nil
        }
    }
}

extension Replicator {
    /// The file, for the endpoint.
    func database(
        _ identity: LocalIdentity, isContinuous: Bool = false
    ) async throws -> ReplicatedDatabase {
        ReplicatedDatabase(
            file, identity, try await selection.collections(file), isContinuous: isContinuous)
    }

    /// The checkpoint of a collection in the file.
    func checkpoint(
        of collection: ReplicatedCollection, _ identity: LocalIdentity
    ) -> StoredCheckpoint {
        let format = endpoint.checkpointFormat ?? StandardCheckpointFormat()
        let database = ReplicatedDatabase(file, identity, [collection])
        return StoredCheckpoint(id: format.id(of: collection, in: database), format: format)
    }
}

extension ReplicationEndpoint {
    /// Runs `body` with a session.
    func connected<T>(
        for database: ReplicatedDatabase, _ body: (any ReplicationSession) async throws -> T
    ) async throws -> T {
        let session = try await connect(for: database)
        do {
            let result = try await body(session)
            await session.close()
            return result
        } catch {
            await session.close()
            throw error
        }
    }
}
