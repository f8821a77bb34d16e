internal import DataFileCore
internal import StorePlatform

/// A run of a replicator, during which no other replicator does the same.
struct ReplicatorRun: Sendable {
    let replicator: Replicator
    let identity: LocalIdentity
    let progress: ReplicationProgress
    /// Held while the run exists.
    private let locks: [ReplicatorLock]
    private let lastRetry = Locked<ContinuousClock.Instant?>(nil)

    /// After this time a continuous replication tries again to transfer blobs that it could not.
    private static let retryInterval = Duration.seconds(300)

    /// Identifies the file, and takes the locks.
    init(_ replicator: Replicator, _ progress: ReplicationProgress) async throws {
        let address = replicator.endpoint.address
        let collections = replicator.collections.map(\.collection)
        let identity = try await replicator.file.write { transaction in
            for collection in collections { try collection.create(in: transaction) }
            return try LocalIdentity(address, in: transaction)
        }
        self.identity = identity
        self.replicator = replicator
        self.progress = progress
        locks = try replicator.locks(identity)
    }

    /// Runs `body` with a session.
    func connected(
        _ body: (any ReplicationSession) async throws -> Void
    ) async throws {
        progress.update { $0.phase = .connecting }
        try await replicator.endpoint.connected(body)
    }

    /// Replicates all collections once.
    func replicate(_ session: any ReplicationSession) async throws {
        progress.update { $0.phase = .busy }
        let retries = isTimeToRetry()
        for collection in replicator.collections {
            try Task.checkCancellation()
            let remote = try await session.open(collection.collection.name)
            let replication = CollectionReplication(
                file: replicator.file, collection: collection, identity: identity, remote: remote,
                progress: progress, retries: retries)
            try await replication.run()
        }
        progress.update { status in
            status.lastError = nil
            status.remaining = nil
        }
    }

    /// Whether blobs are tried again: at first, and after a while.
    private func isTimeToRetry() -> Bool {
        lastRetry.withLock { last in
            if let last, ContinuousClock.now - last < Self.retryInterval { return false }
            last = .now
            return true
        }
    }
}

extension Replicator {
    /// Locks the collections.
    ///
    /// - Throws: ``ReplicationError/Code/alreadyRunning``.
    func locks(_ identity: LocalIdentity) throws -> [ReplicatorLock] {
        try collections.map { settings in
            let collection = settings.collection
            return try ReplicatorLock(
                identity.id(of: collection), of: file, collection.name.description)
        }
    }
}

extension ReplicationEndpoint {
    /// Runs `body` with a session.
    func connected<T>(
        _ body: (any ReplicationSession) async throws -> T
    ) async throws -> T {
        let session = try await connect()
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
