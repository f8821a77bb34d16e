public import FleeceLite
internal import StoreFormat

extension DocumentCollection {
    /// Deletes a document by replacing it with a tombstone, which is replicated.
    ///
    /// - Returns: what was saved; nil if the document does not exist or is deleted already.
    ///
    /// Throws `.notFound` if the collection does not exist, `.corruptRevisionData` if the
    /// document's history cannot be read.
    public func delete(_ id: String, in transaction: Transaction) throws -> Saved? {
        try requireExistence(in: transaction)
        guard let old = try keyStore.get(id, in: transaction), !old.flags.contains(.deleted) else {
            return nil
        }
        return try delete(old, in: transaction)
    }

    /// Deletes a document that was read before, unless it was changed since.
    ///
    /// - Parameter onConflict: how to handle a change; the result of a merge is saved.
    ///
    /// Throws as `delete(_:in:)` of an id does.
    public func delete(
        _ document: Document, onConflict: ConflictHandler = .failOnConflict,
        in transaction: Transaction
    ) throws -> SaveResult {
        try delete(document.mutableCopy(), onConflict: onConflict, in: transaction)
    }

    /// Deletes a document that was read or saved before, unless it was changed since. A document
    /// that was neither conflicts with any stored one.
    ///
    /// - Parameter onConflict: how to handle a change; the result of a merge is saved.
    ///
    /// Throws as `delete(_:in:)` of an id does.
    public func delete(
        _ document: MutableDocument, onConflict: ConflictHandler = .failOnConflict,
        in transaction: Transaction
    ) throws -> SaveResult {
        try requireExistence(in: transaction)
        let old = try keyStore.get(document.id, in: transaction)
        if let old, let base = document.base, base.isStill(old) {
            return .saved(try delete(old, in: transaction))
        }
        let current = try old.map { try Document($0, sharedKeys: transaction.sharedKeys) }
        switch onConflict.kind {
        case .fail: return .conflict(current)
        case .overwrite:
            guard let old else { return .conflict(nil) }
            return .saved(try delete(old, in: transaction))
        case .merge:
            guard var merged = try onConflict.next(after: document, current) else {
                return .conflict(current)
            }
            merged.base = current.map { MutableDocument.Base($0) }
            return try save(&merged, in: transaction)
        }
    }

    private func delete(_ old: Record, in transaction: Transaction) throws -> Saved {
        let new = NewRevision.tombstone(transaction.sharedKeys)
        return try store(old.key, new, over: old, in: transaction)
    }

    /// Restores a deleted document with a new body, as a successor of its tombstone.
    ///
    /// The old body is not available: a tombstone does not retain it.
    ///
    /// - Returns: what was saved; nil if there is no tombstone with this id.
    ///
    /// Throws as `save(_:in:_:)` does.
    public func undelete(
        _ id: String, in transaction: Transaction,
        _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> Saved? {
        try requireExistence(in: transaction)
        let old = try keyStore.get(id, content: .metadata, in: transaction)
        guard let old, old.flags.contains(.deleted) else { return nil }
        return try save(id, in: transaction, write)
    }

    /// Removes a document or tombstone permanently, leaving no tombstone; the removal is not
    /// replicated.
    ///
    /// - Returns: whether it existed.
    public func purge(_ id: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.purge(id, in: transaction)
    }
}
