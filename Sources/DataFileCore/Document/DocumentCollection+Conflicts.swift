public import FleeceLite

/// How to resolve a conflict between two revisions.
public enum ConflictResolution: Sendable {
    /// Keeps the current revision.
    case keepCurrent
    /// Replaces the current revision by the other one.
    case takeOther
    /// Saves these properties.
    case merge(MutableFleeceDictionary)
    /// Deletes the document.
    case delete
}

extension DocumentCollection {
    /// Resolves the conflicts of a document, one after the other.
    ///
    /// If a remote has the other revision, the result becomes its child, so that it can be sent to
    /// the remote: in a tree the branch that only this database has is closed.
    ///
    /// - Parameter resolve: decides the conflict between the current document and another revision.
    /// - Returns: what was saved last; nil if the document does not exist or has no conflict.
    ///
    /// Throws what `resolve` throws; `.notFound` if the collection does not exist;
    /// `.corruptRevisionData` or `.corruptData` if the document is damaged; and as saving does.
    public func resolveConflicts(
        of id: String, in transaction: Transaction,
        _ resolve: (_ current: Document, _ other: DocumentRevision) throws -> ConflictResolution
    ) throws -> Saved? {
        var last: Saved?
        try transaction.savepoint {
            // Each round resolves at least one conflict.
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
