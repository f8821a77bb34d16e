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
    var held: Int64
    /// The last sequence of the file at the start.
    let last: Int64
    /// The checkpoint, if both sides had the same one at the start.
    var common: ReplicationCheckpoint?
    /// Whether the documents were compared with those of the remote.
    var isCompared = false

    init(_ position: ReplicationCheckpoint, verifying verified: Int64, last: Int64) {
        self.position = position
        self.verified = verified
        self.last = last
        held = position.local
        verify(upTo: verified)
    }

    /// Requires that documents are sent also if the remote is thought to have them. The checkpoint
    /// says so until they were, so that an interruption does not end it.
    mutating func verify(upTo sequence: Int64) {
        verified = sequence
        position.unverified = sequence > position.local ? sequence : nil
    }

    /// Continues after a batch that was sent.
    mutating func sent(_ batch: LocalChanges) {
        position.local = batch.position
        if batch.isLast || position.local >= verified { position.unverified = nil }
    }
}

/// Writes checkpoints of a collection into the file.
struct CheckpointRecorder: Sendable {
    let checkpoint: StoredCheckpoint
    let collection: DocumentCollection

    /// Writes it with the last sequence; returns what was written.
    func record(
        _ position: ReplicationCheckpoint, in transaction: Transaction
    ) throws -> ReplicationCheckpoint {
        var recorded = position
        recorded.held = try collection.lastSequence(in: transaction)
        try checkpoint.write(recorded, in: transaction)
        return recorded
    }
}

/// Replicates one collection once, in both directions.
struct CollectionReplication: Sendable {
    let file: DataFile
    let collection: ReplicatedCollection
    let identity: LocalIdentity
    let remote: any RemoteCollection
    let progress: ReplicationProgress
    /// The checkpoint in the file.
    let checkpoint: StoredCheckpoint
    /// Whether documents are tried again that could not be transferred.
    var retries = true
    /// Whether that is done now: what this run has reported is not reported again.
    var isRetrying = false

    var name: String { collection.collection.name.description }
    var pullRetries: StoredRetries { StoredRetries(checkpoint.id, .pull) }
    var pushRetries: StoredRetries { StoredRetries(checkpoint.id, .push) }
    /// Those with a conflict that is kept, whatever is replicated of the collection.
    var keptConflicts: StoredRetries {
        StoredRetries(identity.id(of: collection.collection), .conflicts)
    }
    /// Those of them whose other revision the remote has deleted, and the deletion, too.
    var forgottenConflicts: StoredRetries {
        StoredRetries(identity.id(of: collection.collection), .forgotten)
    }

    /// Transfers all changes of both sides.
    ///
    /// The remote's changes come first, so that most conflicts are found before something is sent.
    /// A revision that the remote refuses causes another round.
    func run() async throws {
        var state = try await start()
        var rounds = 0
        var isComplete = false
        while !isComplete, rounds < 20 {
            rounds += 1
            if collection.pulls { try await pull(&state) }
            if retries, rounds == 1 { try await retry(&state) }
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
            let position = renamed(ReplicationCheckpoint(), after: nil)
            return CollectionState(position, verifying: last, last: last)
        }
        let isKnown = !checkpoint.format.namesRuns || local.knows(other)
        if !isKnown { reportUnknownCheckpoint() }
        let start = isKnown ? min(local.local, other.local, last) : 0
        var position = renamed(
            ReplicationCheckpoint(local: start), after: isKnown ? other : nil)
        if let mine = local.remote, let theirs = other.remote {
            position.remote = remote.earlier(mine, theirs)
        }
        let isOlder = other.local < local.local || !isKnown
        // Not verified by the run before, if that was interrupted or only received.
        let unverified = min(local.unverified ?? 0, last)
        var state = CollectionState(
            position, verifying: isOlder ? last : max(start, unverified), last: last)
        guard local == other else { return state }
        state.common = local
        if state.position.unverified == nil { state.held = min(local.held ?? start, last) }
        return state
    }

    private func renamed(
        _ position: ReplicationCheckpoint, after known: ReplicationCheckpoint?
    ) -> ReplicationCheckpoint {
        checkpoint.format.namesRuns ? position.renamed(after: known) : position
    }

    private func reportUnknownCheckpoint() {
        let name = name
        progress.update { $0.report.collectionsComparedAgain.append(name) }
    }

    /// Records the checkpoint on both sides, unless they have it already.
    private func end(_ state: CollectionState) async throws {
        let position = state.position
        guard state.common?.isAt(position) != true else { return }
        let recorder = recorder
        let recorded = try await file.write { try recorder.record(position, in: $0) }
        try await remote.setCheckpoint(recorded, for: checkpoint.id)
    }

    var recorder: CheckpointRecorder {
        CheckpointRecorder(checkpoint: checkpoint, collection: collection.collection)
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
            if state.position.remote != current.position || !current.isEmpty {
                state.position.remote = current.position
                let result = try await insert(
                    current.documents, removing: current.removed, then: state.position)
                try await remote.didStore(rejected: result.rejected)
            }
            guard let following = try await next else { return }
            batch = following
        }
    }

    /// Writes revisions of the remote, and the checkpoint, in one transaction; then the checkpoint
    /// of the remote.
    @discardableResult
    func insert(
        _ documents: [RemoteDocument], removing removed: [String] = [],
        then position: ReplicationCheckpoint? = nil
    ) async throws -> RevisionInserter.Result {
        let tested = inserter.tested(documents.filter { collection.includes($0.id) })
        let blobs = try await BlobTransfer(file: file, remote: remote).fetch(for: tested.accepted)
        let complete = blobs.remaining(tested.accepted, \.id)
        let (recorder, inserter, pull, conflicts) = (
            recorder, inserter, pullRetries, keptConflicts
        )
        var (result, recorded) = try await file.write { transaction in
            var result = try inserter.insert(complete, in: transaction)
            result.incomplete += blobs.incomplete + tested.failed.map(\.id)
            try pull.add(result.incomplete, in: transaction)
            try conflicts.add(result.kept, in: transaction)
            try inserter.remove(removed, in: transaction)
            return (result, try position.map { try recorder.record($0, in: transaction) })
        }
        if let recorded { try await remote.setCheckpoint(recorded, for: checkpoint.id) }
        result.rejected += blobs.failed + tested.failed
        report(result)
        return result
    }

    /// Writes the current revisions of documents at the remote.
    func insertCurrent(_ ids: [String]) async throws -> RevisionInserter.Result {
        var (result, left) = (RevisionInserter.Result(), ids)
        while !left.isEmpty {
            let found = try await remote.revisions(of: left)
            guard found.left.count < left.count else {
                throw ReplicationError(
                    .badRemoteData, "the remote has sent none of the documents it was asked for")
            }
            result.add(try await insert(found.documents))
            left = found.left
        }
        return result
    }

    func report(_ result: RevisionInserter.Result) {
        let (name, progress) = (name, progress)
        let conflicts = result.conflicts.filter { id, isResolved in
            let isNew = isResolved || progress.isNew("conflict", name, id)
            return isNew || !isRetrying
        }
        progress.update { status in
            status.report.pulled += result.saved.count
            for (id, isResolved) in conflicts {
                status.report.add(
                    ReplicationReport.Conflict(collection: name, id: id, isResolved: isResolved))
            }
        }
        report(result.rejected, isPush: false)
    }

    func report(_ rejections: [(id: String, reason: String)], isPush: Bool) {
        let (name, progress) = (name, progress)
        let rejections = rejections.filter { id, reason in
            progress.isNew("\(isPush) \(reason)", name, id) || !isRetrying
        }
        guard !rejections.isEmpty else { return }
        progress.update { status in
            for (id, reason) in rejections {
                status.report.add(
                    ReplicationReport.Rejection(
                        collection: name, id: id, reason: reason, isPush: isPush))
            }
        }
    }

    var inserter: RevisionInserter {
        RevisionInserter(
            collection: collection, remote: identity.remote, revisionText: identity.revisionText)
    }
}
