public import FleeceLite

/// How a conflict between two revisions ends.
public enum ConflictResolution: Sendable {
    /// The document stays as it is here.
    case keepCurrent
    /// The document becomes the other revision.
    case takeOther
    /// The document gets these properties.
    case merge(MutableFleeceDictionary)
    /// The document is deleted.
    case delete
}

extension DocumentCollection {
    /// Ends the conflicts of a document, one after the other.
    ///
    /// Where a remote has the other revision, the result stands on top of that one, so that it can
    /// be sent there: in a tree the branch that only this database has is given up.
    ///
    /// - Parameter resolve: decides what becomes of the current document and another revision of
    ///   it.
    /// - Returns: what was saved last; nil if there is no such document or no conflict.
    ///
    /// Throws what `resolve` throws; `.notFound` if there is no such collection;
    /// `.corruptRevisionData` or `.corruptData` if the document is damaged; and as saving does.
    public func resolveConflicts(
        of id: String, in transaction: Transaction,
        _ resolve: (_ current: Document, _ other: DocumentRevision) throws -> ConflictResolution
    ) throws -> Saved? {
        var last: Saved?
        try transaction.savepoint {
            // Each round ends one conflict at least.
            while let saved = try resolveConflict(of: id, in: transaction, resolve) { last = saved }
        }
        return last
    }

    private func resolveConflict(
        of id: String, in transaction: Transaction,
        _ resolve: (Document, DocumentRevision) throws -> ConflictResolution
    ) throws -> Saved? {
        guard let record = try keyStore.get(id, in: transaction) else { return nil }
        let keys = transaction.sharedKeys
        var history = try DocumentHistory(record, sharedKeys: keys)
        guard let other = try history.conflicts().first else { return nil }
        let resolution = try resolve(try Document(record, sharedKeys: keys), other)
        switch resolution {
        case .merge(let properties):
            try withNewRevision(in: transaction) {
                try $0.write(properties)
            } _: { new in
                try history.resolve(other, new, in: transaction)
            }
        case .delete:
            let tombstone = NewRevision.tombstone(keys)
            try history.resolve(other, tombstone, in: transaction)
        case .keepCurrent: try history.keepCurrent(against: other, in: transaction)
        case .takeOther:
            let properties = other.properties.map { MutableFleeceDictionary($0) } ?? [:]
            try withNewRevision(in: transaction) {
                do {
                    try $0.write(properties)
                } catch {
                    throw Document.damaged(id, error)
                }
            } _: { new in
                try history.take(other, new)
            }
        }
        return try write(history, over: record, in: transaction)
    }
}
