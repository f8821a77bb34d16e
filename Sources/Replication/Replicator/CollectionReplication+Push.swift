internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

// The file's changes.
extension CollectionReplication {
    /// Sends all changes; false if some have to be sent again after those of the remote.
    func push(_ state: inout CollectionState) async throws -> Bool {
        let verified = state.verified
        var isComplete = true
        let last = try await lastSequence()
        var batch = try await changes(after: state.position.local, verified)
        var done: Done?
        while true {
            let (current, previous) = (batch, done)
            // The file is read and written while the remote writes.
            async let next = current.isLast ? nil : changes(after: current.position, verified)
            async let marked: Void = mark(previous)
            var sent = try await send(current, &state.position.remote)
            try await marked
            isComplete = try await meet(&sent) && isComplete
            let isNew = state.position.local != current.position
            state.sent(current)
            progress.update { $0.remaining = Int(max(last - current.position, 0)) }
            done = isNew ? Done(sent: sent, position: state.position) : nil
            guard let following = try await next else {
                try await mark(done)
                return isComplete
            }
            batch = following
        }
    }

    /// A batch that was sent.
    struct Sent: Sendable {
        /// The changes that the remote has now.
        var settled: [LocalChanges.Change] = []
        /// The IDs of documents that the remote has changed, too.
        var conflicts: [String] = []
        /// The IDs of documents that the remote did not get as they are: it does not have a blob,
        /// or does not accept them.
        var incomplete: [String] = []
    }

    /// A batch that was sent, and the position after it.
    struct Done: Sendable {
        let sent: Sent
        let position: ReplicationCheckpoint
    }

    var changeReader: LocalChangeReader {
        LocalChangeReader(
            collection: collection, remote: identity.remote, revisionText: identity.revisionText)
    }

    private func changes(
        after sequence: Int64, _ verified: Int64
    ) async throws -> LocalChanges {
        let reader = changeReader
        return try await file.read {
            try reader.changes(after: sequence, verifying: verified, in: $0)
        }
    }

    /// Sends a batch, blobs first.
    func send(_ batch: LocalChanges, _ remotePosition: inout String?) async throws -> Sent {
        var rejected = batch.failures.map { ($0.id, $0.reason) }
        let blobs = try await BlobTransfer(file: file, remote: remote).send(
            batch.changes.map { ($0.proposal.document.id, $0.blobs) })
        let changes = blobs.remaining(batch.changes, \.proposal.document.id)
        var sent = Sent(incomplete: blobs.incomplete)
        rejected += blobs.failed
        var waiting = try await wanted(changes).map { ($0, $0.proposal) }
        var attempts = 0
        var pushed = 0
        while !waiting.isEmpty {
            attempts += 1
            let (results, known) = try await remote.propose(
                waiting.map(\.1), at: remotePosition)
            remotePosition = known
            var again: [(LocalChanges.Change, ProposedRevision)] = []
            for ((change, proposal), result) in zip(waiting, results) {
                switch decision(on: proposal, result, isLast: attempts == Self.maximumAttempts) {
                case .settled(let isNew):
                    sent.settled.append(change)
                    if isNew { pushed += 1 }
                case .again(let base):
                    again.append(
                        (
                            change,
                            ProposedRevision(
                                proposal.document, base: base, sequence: proposal.sequence)
                        ))
                case .conflict: sent.conflicts.append(proposal.document.id)
                case .rejected(let reason): rejected.append((proposal.document.id, reason))
                }
            }
            waiting = again
        }
        let accepted = pushed
        progress.update { $0.report.pushed += accepted }
        report(rejected, isPush: true)
        sent.incomplete += rejected.map(\.0)
        return sent
    }

    /// The changes without deletions of documents that the remote does not have.
    private func wanted(
        _ changes: [LocalChanges.Change]
    ) async throws -> [LocalChanges.Change] {
        let doubtful = changes.filter(\.isForExisting).map(\.proposal.document.id)
        guard !doubtful.isEmpty else { return changes }
        let existing = Set(try await remote.revisionIDs(of: doubtful).map { ExactString($0.id) })
        return changes.filter {
            !$0.isForExisting || existing.contains(ExactString($0.proposal.document.id))
        }
    }

    private static let maximumAttempts = 5
    /// How many documents of the remote are in memory to be compared with the file's.
    private static let metCount = 100

    private enum Decision {
        /// The remote has it.
        case settled(isNew: Bool)
        /// It descends from the revision that the remote has.
        case again(base: String?)
        case conflict
        case rejected(String)
    }

    private func decision(
        on proposal: ProposedRevision, _ result: ProposalResult, isLast: Bool
    ) -> Decision {
        switch result {
        case .accepted: return .settled(isNew: true)
        case .rejected(let reason): return .rejected(reason)
        case .refused(nil):
            guard isLast else { return .again(base: nil) }
            return .rejected(
                "the remote has a document with this ID that this user may not read or change")
        case .refused(let current?):
            if current.revision == proposal.document.revision { return .settled(isNew: false) }
            guard !isLast, identity.revisionText.descends(proposal.document, from: current) else {
                return .conflict
            }
            return .again(base: current.revision)
        }
    }

    /// Gets the revisions of the remote that concurrent changes of the file met; their resolution
    /// is a change that is sent later. False if there are any.
    func meet(_ sent: inout Sent) async throws -> Bool {
        guard !sent.conflicts.isEmpty else { return true }
        guard collection.pulls else {
            leave(
                sent.conflicts, "the remote has another revision of it; pull, too, to resolve that",
                &sent)
            return true
        }
        var isComplete = true
        for ids in sent.conflicts.parts(Self.metCount) {
            let result = try await insertCurrent(ids)
            sent.incomplete += result.rejected.map(\.id)
            let met = result.saved + result.conflicts.map(\.id) + result.rejected.map(\.id)
            let known = Set(met.map { ExactString($0) })
            leave(
                ids.filter { !known.contains(ExactString($0)) },
                "the remote has another revision of it, which this file does not accept", &sent)
            if !met.isEmpty { isComplete = false }
        }
        return isComplete
    }

    /// Leaves documents as they are on both sides.
    private func leave(_ ids: [String], _ reason: String, _ sent: inout Sent) {
        report(ids.map { ($0, reason) }, isPush: true)
        sent.incomplete += ids
    }

    /// Records which revisions the remote has, and the checkpoint.
    func mark(_ done: Done?) async throws {
        guard let done else { return }
        let (recorder, collection, retries) = (recorder, collection.collection, pushRetries)
        let number = identity.remote
        let recorded = try await file.write { transaction in
            for change in done.sent.settled {
                try collection.setRemote(
                    number, has: change.revision, of: change.proposal.document.id,
                    sequence: change.sequence, in: transaction)
            }
            try retries.add(done.sent.incomplete, in: transaction)
            return try recorder.record(done.position, in: transaction)
        }
        // After the file's, so that at most this batch is repeated.
        try await remote.setCheckpoint(recorded, for: checkpoint.id)
    }
}

extension RevisionText {
    /// Whether a revision descends from another one of the same document.
    func descends(_ document: RemoteDocument, from other: RemoteDocument) -> Bool {
        guard let history = try? history(of: document), let others = try? self.history(of: other),
            let revision = history.first, let ancestor = others.first
        else { return false }
        if case .vector(let vector) = revision, case .vector(let other) = ancestor {
            return vector.compare(to: other) == .newer
        }
        return history.dropFirst().contains(ancestor)
    }
}
