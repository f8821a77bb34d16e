internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

// After a time in which the remote removed tombstones.
extension CollectionReplication {
    /// Removes the documents that were deleted at the remote, whose tombstones it no longer has:
    /// those that it had, that were not changed here since, and that it has not any more.
    ///
    /// Documents after the last common checkpoint may be ones that the remote lost, as when it was
    /// restored from a backup: they are sent again. A document that was changed here is sent as a
    /// new one, also after a conflict with what was deleted is resolved, whatever wins.
    func compare(_ state: inout CollectionState) async throws {
        guard !state.isCompared else { return }
        progress.update { $0.phase = .comparing }
        let reader = HeldDocumentReader(collection: collection, remote: identity.remote)
        let last = state.held
        var batch = HeldDocuments(position: 0)
        while !batch.isLast {
            try Task.checkCancellation()
            let position = batch.position
            batch = try await file.read {
                try reader.documents(after: position, upTo: last, in: $0)
            }
            let gone = try await gone(of: batch.items)
            try await sendLater(gone.filter(\.hasConflict).map(\.id))
            let removed = try await remove(gone.filter { !$0.hasConflict })
            let compared = batch.items.count
            progress.update { status in
                status.report.compared += compared
                status.report.removed += removed
            }
        }
        if last < state.last { state.verify(upTo: state.last) }
        state.isCompared = true
        progress.update { $0.phase = .busy }
    }

    private func gone(of items: [HeldDocuments.Item]) async throws -> [HeldDocuments.Item] {
        guard !items.isEmpty else { return [] }
        let current = try await remote.revisionIDs(of: items.map(\.id))
        let byID = Dictionary(current.map { (ExactString($0.id), $0) }) { first, _ in first }
        return items.filter { item in
            guard let document = byID[ExactString(item.id)] else { return true }
            return isNewDocument(document, other: item.revision)
        }
    }

    /// Whether a document was created again after its deletion. A conflict with the deleted one
    /// could bring that back.
    ///
    /// Not recognized in revision trees, whose history at the remote may be cut off.
    private func isNewDocument(_ document: RemoteDocument, other revision: RevisionID) -> Bool {
        guard case .vector(let old) = revision,
            case .vector(let new)? = try? identity.revisionText.history(of: document).first
        else { return false }
        return new.compare(to: old) == .conflicting
    }

    /// Has documents sent when their conflicts are resolved, also if the revision of the remote
    /// wins, which it no longer has.
    private func sendLater(_ ids: [String]) async throws {
        guard !ids.isEmpty, collection.pushes else { return }
        let forgotten = forgottenConflicts
        try await file.write { try forgotten.add(ids, in: $0) }
    }

    /// Saves the documents among them again for which the revision of the remote has won. Files
    /// that received its deletion would ignore the revision itself, from which that descends.
    func reviveForgotten() async throws {
        let (forgotten, collection) = (forgottenConflicts, collection.collection)
        let reader = HeldDocumentReader(collection: self.collection, remote: identity.remote)
        let ids = try await file.read { try forgotten.read(in: $0) }
        guard !ids.isEmpty else { return }
        try await file.write { transaction in
            var done: [String] = []
            for id in ids {
                let record = try collection.keyStore.get(id, in: transaction)
                if record?.flags.contains(.conflicted) == true { continue }
                done.append(id)
                guard let record, try reader.isHeld(record, in: transaction),
                    let document = try collection.get(id, in: transaction)
                else { continue }
                _ = try collection.save(id, in: transaction) {
                    try $0.write(document.properties.map { MutableFleeceDictionary($0) } ?? [:])
                }
            }
            try forgotten.remove(done, in: transaction)
        }
    }

    /// Removes documents unless they were changed meanwhile; returns how many.
    ///
    /// They are purged. A tombstone would be a new revision, made here and now, and would win
    /// against a document that was created again at the remote; and it would stay for ever, while
    /// the remote has removed its own. A purge leaves nothing to send, and observers see it.
    private func remove(_ items: [HeldDocuments.Item]) async throws -> Int {
        guard !items.isEmpty else { return 0 }
        let collection = collection.collection
        return try await file.write { transaction in
            var count = 0
            for item in items {
                let record = try collection.keyStore.get(
                    item.id, content: .metadata, in: transaction)
                guard let record, record.sequence == item.sequence,
                    !record.flags.contains(.conflicted),
                    try collection.purge(item.id, in: transaction)
                else { continue }
                count += 1
            }
            return count
        }
    }
}
