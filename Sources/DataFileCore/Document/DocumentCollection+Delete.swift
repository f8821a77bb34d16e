public import FleeceLite
internal import StoreFormat

extension DocumentCollection {
    /// Deletes a document by replacing it with a tombstone, which is replicated.
    ///
    /// ```swift
    /// let deleted = try file.write { try people.delete("ada", in: $0) }
    /// if deleted == nil { show("there is no such document") }
    /// ```
    ///
    /// Its properties are lost, and its blobs are removed by the next `DataFile.compact`, unless
    /// something else in the file refers to them. The tombstone remains, so that other databases
    /// receive the deletion; to leave none, see ``purge(_:in:)``.
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - transaction: the transaction to delete in.
    /// - Returns: what was saved; nil if the document does not exist or is deleted already.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist;
    ///   ``StoreError/Code/corruptRevisionData`` if the document's history cannot be read.
    public func delete(_ id: String, in transaction: Transaction) throws -> Saved? {
        try requireExistence(in: transaction)
        guard let old = try keyStore.get(id, in: transaction), !old.flags.contains(.deleted) else {
            return nil
        }
        return try delete(old, in: transaction)
    }

    /// Deletes a document that was read before, unless it was changed since.
    ///
    /// ```swift
    /// let result = try file.write { try people.delete(document, in: $0) }
    /// if result.saved == nil { show("it was changed meanwhile, and is not deleted") }
    /// ```
    ///
    /// - Parameters:
    ///   - document: the document as it was read.
    ///   - onConflict: how to handle a change, by default by deleting nothing; the result of a
    ///     merge is saved.
    ///   - transaction: the transaction to delete in.
    /// - Returns: the tombstone, or the conflict, which is not an error.
    /// - Throws: as ``delete(_:in:)`` of an ID does; what the handler throws.
    public func delete(
        _ document: Document, onConflict: ConflictHandler = .failOnConflict,
        in transaction: Transaction
    ) throws -> SaveResult {
        try delete(document.mutableCopy(), onConflict: onConflict, in: transaction)
    }

    /// Deletes a document that was read or saved before, unless it was changed since. A document
    /// that was neither conflicts with any stored one.
    ///
    /// ```swift
    /// var ada = MutableDocument("ada", ["age": 36])
    /// try file.write { transaction in
    ///     _ = try people.save(&ada, in: transaction)
    ///     _ = try people.delete(ada, in: transaction)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - document: the document; changes of it that were not saved have no effect.
    ///   - onConflict: how to handle a change, by default by deleting nothing; the result of a
    ///     merge is saved.
    ///   - transaction: the transaction to delete in.
    /// - Returns: the tombstone, or the conflict, which is not an error.
    /// - Throws: as ``delete(_:in:)`` of an ID does; what the handler throws.
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
    /// ```swift
    /// try file.write { transaction in
    ///     let saved = try people.undelete("ada", in: transaction) { try $0.writeJSON(json) }
    ///     if saved == nil { show("it is not deleted") }
    /// }
    /// ```
    ///
    /// The old body is not available: a tombstone does not retain it. ``save(_:in:_:)`` does the
    /// same, whether there is a tombstone, a document or nothing.
    ///
    /// - Parameters:
    ///   - id: the ID of the deleted document.
    ///   - transaction: the transaction to save in.
    ///   - write: writes one dictionary. It is not called if there is no tombstone.
    /// - Returns: what was saved; nil if there is no tombstone with this ID.
    /// - Throws: as ``save(_:in:_:)`` does.
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
    /// ```swift
    /// try file.write { transaction in
    ///     var options = RecordEnumerator.Options()
    ///     options.includesDeleted = true
    ///     options.content = .metadata
    ///     try people.records(options, in: transaction).forEachRow { row in
    ///         guard row.flags.contains(.deleted) else { return true }
    ///         _ = try people.purge(row.key, in: transaction)
    ///         return true
    ///     }
    /// }
    /// ```
    ///
    /// If another database has the document, the next replication can bring it back. Documents that
    /// are to be purged at a certain time are better given an expiration; see
    /// ``KeyStore/setExpiration(_:of:in:)``.
    ///
    /// - Returns: whether it existed.
    /// - Throws: ``StoreError/Code/notFound`` if the collection does not exist.
    public func purge(_ id: String, in transaction: Transaction) throws -> Bool {
        try requireExistence(in: transaction)
        return try keyStore.purge(id, in: transaction)
    }
}
