internal import DataFileCore
internal import StoreFormat

/// Where the replication of a collection is.
struct CollectionState: Sendable {
    /// Up to where it is done.
    var position: ReplicationCheckpoint
    /// Up to which sequence also those documents are sent that the remote is thought to have: after
    /// it was restored from a backup it may not.
    var verified: Int64
    /// Up to which sequence the remote did have the documents that the file thinks it has.
    var held: Int64 = 0
    /// The last sequence of the file at the start.
    let last: Int64
    /// The checkpoint, if both sides had the same one at the start.
    var common: ReplicationCheckpoint?
    /// Whether the documents were compared with those of the remote.
    var isCompared = false
}

/// Replicates one collection once, in both directions.
struct CollectionReplication: Sendable {
    let file: DataFile
    let collection: ReplicatedCollection
    let identity: LocalIdentity
    let remote: any RemoteCollection
    let progress: ReplicationProgress
    /// Whether documents are tried again whose blobs could not be transferred.
    var retries = true

    var name: String { collection.collection.name.description }
    var checkpoint: StoredCheckpoint {
        StoredCheckpoint(id: identity.checkpointID(of: collection))
    }
    var pullRetries: StoredRetries { StoredRetries(id: checkpoint.id + "-pull") }
    var pushRetries: StoredRetries { StoredRetries(id: checkpoint.id + "-push") }

    /// Transfers all changes of both sides.
    ///
    /// The remote's changes come first, so that most conflicts are found before something is sent.
    /// A revision that the remote refuses causes another round.
    func run() async throws {
        var state = try await start()
        if retries { try await retryBlobs(&state) }
        var rounds = 0
        var isComplete = false
        while !isComplete, rounds < 20 {
            rounds += 1
            if collection.pulls { try await pull(&state) }
            isComplete = collection.pushes ? try await push(&state) : true
        }
        try await end(state)
    }

    /// Where both sides agree that everything before was replicated.
    func start() async throws -> CollectionState {
        let checkpoint = checkpoint
        let local = try await file.read { try checkpoint.read(in: $0) }
        let other = try await remote.checkpoint(checkpoint.id)
        let last = try await lastSequence()
        guard let local, let other else {
            let position = ReplicationCheckpoint().renamed(after: nil)
            return CollectionState(position: position, verified: last, last: last)
        }
        let isKnown = local.knows(other)
        if !isKnown { reportUnknownCheckpoint() }
        let start = isKnown ? min(local.local, other.local, last) : 0
        var position = ReplicationCheckpoint(local: start).renamed(after: isKnown ? other : nil)
        if let mine = local.remote, let theirs = other.remote {
            position.remote = remote.earlier(mine, theirs)
        }
        let isOlder = other.local < local.local || !isKnown
        return CollectionState(
            position: position, verified: isOlder ? last : start,
            held: local == other ? last : start, last: last,
            common: local == other ? local : nil)
    }

    private func reportUnknownCheckpoint() {
        let name = name
        progress.update { $0.report.collectionsComparedAgain.append(name) }
    }

    /// Records the checkpoint on both sides, unless they have it already.
    private func end(_ state: CollectionState) async throws {
        let (checkpoint, position) = (checkpoint, state.position)
        guard state.common?.isAt(position) != true else { return }
        try await file.write { transaction in
            guard try checkpoint.read(in: transaction) != position else { return }
            try checkpoint.write(position, in: transaction)
        }
        try await remote.setCheckpoint(position, for: checkpoint.id)
    }

    /// A file that was restored from a backup may have had sequences that it no longer has.
    func lastSequence() async throws -> Int64 {
        let collection = collection.collection
        return try await file.read { try collection.lastSequence(in: $0) }
    }
}

// The remote's changes.
extension CollectionReplication {
    private static let pulledCount = 2000

    private func pull(_ state: inout CollectionState) async throws {
        let remote = remote
        var batch = try await remote.changes(
            since: state.position.remote, limit: Self.pulledCount)
        while true {
            let current = batch
            // First, so that an interruption repeats it.
            if current.isIncomplete { try await compare(&state) }
            progress.update { $0.remaining = current.remaining }
            // The next batch is on its way while this one is written.
            async let next =
                current.isLast
                ? nil : remote.changes(since: current.position, limit: Self.pulledCount)
            // Without a change nothing is written, neither here nor there.
            if state.position.remote != current.position {
                state.position.remote = current.position
                try await insert(current.documents, then: state.position)
                try await remote.setCheckpoint(state.position, for: checkpoint.id)
            }
            guard let following = try await next else { return }
            batch = following
        }
    }

    /// Writes revisions of the remote, and the checkpoint, in one transaction.
    @discardableResult
    func insert(
        _ documents: [RemoteDocument], then position: ReplicationCheckpoint? = nil
    ) async throws -> RevisionInserter.Result {
        let documents = documents.filter { collection.includes($0.id) }
        let blobs = try await BlobTransfer(file: file, remote: remote).fetch(for: documents)
        let complete = blobs.remaining(documents, \.id)
        let (checkpoint, inserter, retries) = (checkpoint, inserter, pullRetries)
        var result = try await file.write { transaction in
            let result = try inserter.insert(complete, in: transaction)
            try retries.add(blobs.incomplete, in: transaction)
            if let position { try checkpoint.write(position, in: transaction) }
            return result
        }
        result.rejected += blobs.failed
        result.incomplete = blobs.incomplete
        report(result)
        return result
    }

    private func report(_ result: RevisionInserter.Result) {
        let name = name
        progress.update { status in
            status.report.pulled += result.saved.count
            for (id, isResolved) in result.conflicts {
                status.report.add(
                    ReplicationReport.Conflict(collection: name, id: id, isResolved: isResolved))
            }
        }
        report(result.rejected, isPush: false)
    }

    func report(_ rejections: [(id: String, reason: String)], isPush: Bool) {
        guard !rejections.isEmpty else { return }
        let name = name
        progress.update { status in
            for (id, reason) in rejections {
                status.report.add(
                    ReplicationReport.Rejection(
                        collection: name, id: id, reason: reason, isPush: isPush))
            }
        }
    }

    private var inserter: RevisionInserter {
        RevisionInserter(
            collection: collection, remote: identity.remote, revisionText: identity.revisionText)
    }
}
