internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

// After a time in which the remote removed tombstones.
extension CollectionReplication {
    /// Removes the documents that were deleted at the remote, whose tombstones it no longer has:
    /// those that it had, that were not changed here since, and that it has not any more.
    ///
    /// Documents after the last common checkpoint may be ones that the remote lost, as when it was
    /// restored from a backup: they are sent again, those that it has not any more as new
    /// revisions, since other files may have their deletions. A document that was changed here is
    /// sent as a new one, also after a conflict with what was deleted is resolved, whatever wins.
    func compare(_ state: inout CollectionState) async throws {
        guard !state.isCompared else { return }
        progress.update { $0.phase = .comparing }
        let (last, held) = (state.last, state.held)
        try await forEachGone(after: 0, upTo: held) { gone, count in
            try await sendLater(gone.filter(\.hasConflict).map(\.id))
            let removed = try await remove(gone.filter { !$0.hasConflict })
            progress.update { status in
                status.report.compared += count
                status.report.removed += removed
            }
        }
        if held < last {
            try await forEachGone(after: held, upTo: last) { gone, _ in
                try await sendLater(gone.map(\.id))
            }
            state.verify(upTo: last)
        }
        state.isCompared = true
        progress.update { $0.phase = .busy }
    }

    /// Calls `body` with those documents of each batch that the remote had and has not any more,
    /// and the number of all.
    private func forEachGone(
        after first: Int64, upTo last: Int64,
        _ body: ([HeldDocuments.Item], Int) async throws -> Void
    ) async throws {
        let reader = HeldDocumentReader(collection: collection, remote: identity.remote)
        var batch = HeldDocuments(position: first)
        while !batch.isLast {
            try Task.checkCancellation()
            let position = batch.position
            batch = try await file.read {
                try reader.documents(after: position, upTo: last, in: $0)
            }
            try await body(gone(of: batch.items), batch.items.count)
        }
    }

    private func gone(of items: [HeldDocuments.Item]) async throws -> [HeldDocuments.Item] {
        guard !items.isEmpty else { return [] }
        let current = try await remote.revisionIDs(of: items.map(\.id))
        let byID = Dictionary(current.map { (ExactString($0.id), $0) }) { first, _ in first }
        return items.filter { item in
            guard let document = byID[ExactString(item.id)] else { return true }
            return !item.hasConflict && isNewDocument(document, other: item.revision)
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

    /// Has documents sent as new revisions, when their conflicts are resolved.
    private func sendLater(_ ids: [String]) async throws {
        guard !ids.isEmpty else { return }
        let forgotten = forgottenConflicts
        try await file.write { try forgotten.add(ids, in: $0) }
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
