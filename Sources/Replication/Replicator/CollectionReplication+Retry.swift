internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

// Documents that the replications before could not transfer.
extension CollectionReplication {
    private static let count = 100

    /// Tries again to transfer documents with blobs that were missing, or that were not accepted,
    /// and to resolve conflicts that were kept.
    ///
    /// After the changes of the remote: a document that was deleted there must not be sent again.
    func retry(_ state: inout CollectionState) async throws {
        var retrying = self
        retrying.isRetrying = true
        try await retrying.retryConflicts()
        if collection.pulls { try await retrying.retryPull() }
        guard collection.pushes else { return }
        try await retrying.reviveForgotten()
        try await retrying.retryPush(&state)
    }

    /// Resolves conflicts that were kept, as when there was another resolver.
    private func retryConflicts() async throws {
        let (inserter, kept) = (inserter, keptConflicts)
        let all = try await file.read { try kept.read(in: $0) }
        for ids in all.parts(Self.count) {
            let included = ids.filter { collection.includes($0) }
            let result = try await file.write { transaction in
                let result = try inserter.resolve(included, in: transaction)
                try kept.remove(included, except: result.kept, in: transaction)
                return result
            }
            report(result)
        }
    }

    private func retryPull() async throws {
        let retries = pullRetries
        for ids in try await file.read({ try retries.read(in: $0) }).parts(Self.count) {
            let left = try await insertCurrent(ids).incomplete
            try await file.write { try retries.remove(ids, except: left, in: $0) }
        }
    }

    private func retryPush(_ state: inout CollectionState) async throws {
        let (retries, reader) = (pushRetries, changeReader)
        let position = state.position.local
        for ids in try await file.read({ try retries.read(in: $0) }).parts(Self.count) {
            // Later changes are sent anyway.
            let (batch, held) = try await file.read {
                try reader.changes(of: ids, upTo: position, in: $0)
            }
            var sent = try await send(batch, &state.position.remote)
            _ = try await meet(&sent)
            // Of others there is nothing to record: they stay in the list.
            if !sent.settled.isEmpty {
                try await mark(Done(sent: sent, position: state.position))
            }
            // Of those that the remote has only blobs can be missing.
            let blobs = try await BlobTransfer(file: file, remote: remote).send(held)
            report(blobs.failed, isPush: true)
            let left = sent.incomplete + blobs.incomplete
            try await file.write { try retries.remove(ids, except: left, in: $0) }
        }
    }
}

// Conflicts with revisions that the remote has deleted.
extension CollectionReplication {
    /// Saves the documents among them again for which the revision of the remote has won. Files
    /// that received its deletion would ignore the revision itself, from which that descends.
    private func reviveForgotten() async throws {
        let (forgotten, collection) = (forgottenConflicts, collection)
        let ids = try await file.read { try forgotten.read(in: $0) }
        guard !ids.isEmpty else { return }
        // One that was created again is an ordinary document.
        let existing = Set(try await remote.revisionIDs(of: ids).map { ExactString($0.id) })
        let reader = HeldDocumentReader(collection: collection, remote: identity.remote)
        try await file.write { transaction in
            let done = try ids.filter { id in
                let store = collection.collection.keyStore
                guard let record = try store.get(id, in: transaction) else { return true }
                guard !record.flags.contains(.conflicted) else { return false }
                if !existing.contains(ExactString(id)) {
                    try reader.saveAgain(record, in: transaction)
                }
                return true
            }
            try forgotten.remove(done, in: transaction)
        }
    }
}

extension Array {
    /// Its elements in parts of a length, the last one shorter.
    package func parts(_ count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map {
            Array(self[$0..<Swift.min($0 + count, self.count)])
        }
    }
}
