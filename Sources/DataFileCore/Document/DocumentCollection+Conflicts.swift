public import FleeceLite

/// How to resolve a conflict between two revisions.
///
/// The closure of ``DocumentCollection/resolveConflicts(of:in:_:)`` returns it for the document's
/// current revision and another one, which a remote has.
public enum ConflictResolution: Sendable {
    /// Keeps the current revision, as the successor of both.
    case keepCurrent
    /// Replaces the current revision by the other one, with its ID.
    case takeOther
    /// Saves these properties as the successor of both revisions.
    case merge(MutableFleeceDictionary)
    /// Deletes the document, as the successor of both revisions.
    case delete
}

extension DocumentCollection {
    /// Resolves the conflicts of a document, one after the other.
    ///
    /// ```swift
    /// let saved = try file.write { transaction in
    ///     try people.resolveConflicts(of: "ada", in: transaction) { current, other in
    ///         guard let theirs = other.properties else { return .keepCurrent }
    ///         var merged = MutableFleeceDictionary(theirs)
    ///         if let age = current["age"]?.int { merged["age"] = .int(age) }
    ///         return .merge(merged)
    ///     }
    /// }
    /// ```
    ///
    /// Such conflicts are between databases, and both revisions are stored. For changes by several
    /// writers of one database see ``ConflictHandler``. To find the documents, enumerate with
    /// ``RecordEnumerator/Options/conflictedOnly``:
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     var options = RecordEnumerator.Options()
    ///     options.conflictedOnly = true
    ///     options.content = .metadata
    ///     try people.records(options, in: transaction).forEachRow { row in
    ///         let id = row.key
    ///         _ = try people.resolveConflicts(of: id, in: transaction) { _, _ in .takeOther }
    ///         return true
    ///     }
    /// }
    /// ```
    ///
    /// If a remote has the other revision, the result becomes its child, so that it can be sent to
    /// the remote: in a tree the branch that only this database has is closed.
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - transaction: the transaction to save in.
    ///   - resolve: decides the conflict between the current document and another revision; called
    ///     once for each conflict.
    /// - Returns: what was saved last; nil if the document does not exist or has no conflict.
    /// - Throws: what `resolve` throws; ``StoreError/Code/notFound`` if the collection does not
    ///   exist; ``StoreError/Code/corruptRevisionData`` or ``StoreError/Code/corruptData`` if the
    ///   document is damaged; and as saving does. Then none of the document's conflicts is
    ///   resolved.
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
