public import DataFileCore
internal import StoreFormat

/// What a collection has yet to replicate; see ``Replicator/pending()``.
public struct PendingChanges: Sendable {
    /// The collection.
    public let collection: CollectionName
    /// The sequence of the file up to which the remote has its changes; 0 before the first
    /// replication.
    public let replicatedSequence: Int64
    /// The last sequence of the file.
    public let lastSequence: Int64
    /// The number of documents to push, with those that were not accepted before; 0 if the
    /// collection is only pulled.
    public let pushes: Int
    /// The number of documents that were changed at the remote, at most: the file may have some of
    /// the changes. 0 if the collection is only pushed; nil if the remote cannot tell.
    public let pulls: Int?
    /// The number of documents with conflicts that are kept. They are not pushed.
    public let conflicts: Int
}

extension Replicator {
    /// What is yet to be replicated, for each collection.
    ///
    /// ```swift
    /// for changes in try await replicator.pending() {
    ///     show(changes.collection, changes.pushes, changes.pulls ?? 0, changes.conflicts)
    /// }
    /// ```
    ///
    /// Changes neither the file nor the remote, and works while another replicator runs. It reads
    /// the changes of the file since the last replication, and with a push filter their bodies.
    ///
    /// - Throws: ``ReplicationError``; `StoreError` of the file.
    public func pending() async throws -> [PendingChanges] {
        let address = endpoint.address
        let identity = try await file.read { try LocalIdentity(address, in: $0) }
        return try await endpoint.connected(for: database(identity)) { session in
            var result: [PendingChanges] = []
            for settings in try await selection.collections(file, session) {
                let remote = try await session.find(settings.collection.name)
                let changes = LocalChangeReader(
                    collection: settings, remote: identity.remote,
                    revisionText: identity.revisionText)
                result.append(try await pending(changes, identity, remote))
            }
            return result
        }
    }

    private func pending(
        _ changes: LocalChangeReader, _ identity: LocalIdentity, _ remote: (any RemoteCollection)?
    ) async throws -> PendingChanges {
        let settings = changes.collection
        let checkpoint = checkpoint(of: settings, identity)
        var (position, verified) = (ReplicationCheckpoint(), Int64.max)
        if let remote {
            let replication = CollectionReplication(
                file: file, collection: settings, identity: identity, remote: remote,
                progress: ReplicationProgress { _ in }, checkpoint: checkpoint)
            let start = try await replication.start()
            (position, verified) = (start.position, start.verified)
        }
        let remaining =
            settings.pulls
            ? try await remote?.changes(since: position.remote, limit: 0).remaining : 0
        let (start, isNew) = (position.local, remote == nil)
        let end = verified
        let retries = StoredRetries(checkpoint.id, .push)
        return try await file.read { snapshot in
            PendingChanges(
                collection: settings.collection.name, replicatedSequence: start,
                lastSequence: try settings.collection.lastSequence(in: snapshot),
                pushes: settings.pushes
                    ? try changes.count(after: start, verifying: end, in: snapshot)
                        + changes.count(of: retries.read(in: snapshot), upTo: start, in: snapshot)
                    : 0,
                pulls: isNew ? 0 : remaining,
                conflicts: try settings.collection.conflictCount(in: snapshot))
        }
    }

    /// Forgets up to where the collections were replicated, with any filters: the next replication
    /// compares all documents of both sides.
    ///
    /// Documents that were deleted at the remote, whose tombstones it has removed since, are pushed
    /// again then.
    ///
    /// - Returns: whether one of them was replicated with the endpoint.
    /// - Throws: ``ReplicationError/Code/alreadyRunning``; `StoreError` of the file.
    @discardableResult
    public func reset() async throws -> Bool {
        let address = endpoint.address
        let identity = try await file.read { try LocalIdentity(address, in: $0) }
        let collections = try await selection.collections(file).map(\.collection)
        let locks = try collections.map {
            try ReplicatorLock(identity.id(of: $0), of: file, $0.name.description)
        }
        let prefixes = collections.map { identity.id(of: $0) }
        let checkpoints = try await selection.collections(file).map { checkpoint(of: $0, identity) }
        let isKnown = try await file.write { transaction in
            let isKnown = try prefixes.reduce(false) { isKnown, prefix in
                try StoredCheckpoint.remove(prefix: prefix, in: transaction) || isKnown
            }
            return try checkpoints.reduce(isKnown) { isKnown, checkpoint in
                try checkpoint.remove(in: transaction) || isKnown
            }
        }
        withExtendedLifetime(locks) {}
        return isKnown
    }
}

extension DocumentCollection {
    /// The last sequence; 0 if the collection does not exist.
    func lastSequence(in snapshot: Snapshot) throws -> Int64 {
        try exists(in: snapshot) ? keyStore.lastSequence(in: snapshot) : 0
    }

    fileprivate func conflictCount(in snapshot: Snapshot) throws -> Int {
        guard try exists(in: snapshot) else { return 0 }
        var options = RecordEnumerator.Options()
        options.conflictedOnly = true
        options.includesDeleted = true
        options.content = .metadata
        var count = 0
        let records = try keyStore.records(options, in: snapshot)
        while try records.next() != nil { count += 1 }
        return count
    }
}
