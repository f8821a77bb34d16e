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
    /// new one.
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
            let removed = try await remove(gone)
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
