public import FleeceLite
public import StoreFormat

extension DocumentCollection {
    /// The result of inserting a revision of another database.
    ///
    /// ```swift
    /// let result = try file.write { transaction in
    ///     let revision = try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
    ///     return try people.insert("ada", history: [revision], remote: 1, in: transaction) {
    ///         try $0.writeJSON(json)
    ///     }
    /// }
    /// if case .conflict = result { show("to be resolved") }
    /// ```
    public enum InsertResult: Sendable {
        /// It is now the current revision.
        case saved(Saved)
        /// This database has it already, or a later one. The body is not changed.
        case known
        /// It is stored as a conflict with the current one, until that is resolved; see
        /// ``DocumentCollection/resolveConflicts(of:in:_:)``.
        case conflict
    }

    /// Writes a revision created by another database under its own ID, as replication and imports
    /// do.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     let remote = try transaction.remoteID(of: "wss://example.com/people")
    ///     let revision = try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
    ///     _ = try people.insert("ada", history: [revision], remote: remote, in: transaction) {
    ///         try $0.writeJSON(json)
    ///     }
    /// }
    /// ```
    ///
    /// Use ``save(_:in:_:)`` for all changes made in this database: it assigns the revision.
    ///
    /// - Parameters:
    ///   - id: the document's ID.
    ///   - history: the revision and, of a tree, its ancestors, newest first, back to one that this
    ///     database has or to the first one. A version vector is its own history; the revisions of
    ///     a tree may follow it that the document had before its database was upgraded.
    ///   - isDeleted: whether the revision deletes the document; false by default.
    ///   - remote: the number of the remote that it comes from; see ``Transaction/remoteID(of:)``.
    ///     Nil (default) for none, as in an import.
    ///   - transaction: the transaction to save in.
    ///   - write: writes its body, one dictionary; an empty one for a deletion.
    /// - Returns: whether it is the current revision now, is known, or is a conflict.
    /// - Throws: ``StoreError/Code/badRevisionID`` for an impossible history, or a version vector
    ///   for a document or in a file with trees; ``StoreError/Code/conflict`` for a conflicting
    ///   revision that does not come from a remote, since it could not be stored; and as saving
    ///   does.
    public func insert(
        _ id: String, history: [RevisionID], isDeleted: Bool = false, remote: Int? = nil,
        in transaction: Transaction, _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> InsertResult {
        try DocumentID.validate(id)
        guard let newest = history.first else {
            throw StoreError(.badRevisionID, "a revision of \"\(id)\" has no ID")
        }
        if let remote { try RemoteRevisions.requireNumber(remote) }
        return try withNewRevision(in: transaction, write) { body in
            let new = NewRevision(
                body: body.body, flags: isDeleted ? body.flags.union(.deleted) : body.flags,
                sharedKeys: body.sharedKeys)
            let old = try keyStore.get(id, in: transaction)
            if case .digest = newest, try !isInVectorForm(old, in: transaction) {
                return try insert(id, history, new, remote, over: old, in: transaction)
            }
            let incoming = try IncomingRevision(id, history)
            return try insert(id, incoming, new, remote, over: old, in: transaction)
        }
    }

    /// Whether a revision of a tree is written like a version vector: a database with trees has
    /// sent it to one with vectors.
    private func isInVectorForm(_ old: Record?, in transaction: Transaction) throws -> Bool {
        guard let old, !old.isBareTombstone else {
            return try transaction.writtenVersioning() == .versionVectors
        }
        return old.layout == .versionVector
    }

    // Revision trees.

    private func insert(
        _ id: String, _ ids: [RevisionID], _ new: NewRevision, _ remote: Int?,
        over old: Record?, in transaction: Transaction
    ) throws -> InsertResult {
        guard !ids.contains(where: \.isVector) else { throw Self.otherKind(id, ids[0]) }
        let keys = transaction.sharedKeys
        var history =
            try old.map { try DocumentHistory($0, sharedKeys: keys) }
            ?? DocumentHistory(newTree: id, sharedKeys: keys)
        guard case .tree(var tree) = history.form else { throw Self.otherKind(id, ids[0]) }
        let before = tree
        let isNew = tree.index(of: ids[0].binary) == nil
        let depth = try transaction.maximumTreeDepth()
        tree.makeSpace(for: ids.count, depth: depth)
        try tree.insert(
            history: ids.map(\.binary), body: new.bodyBytes, flags: new.flags.ofRevision,
            remote: remote.map { UInt16($0) }, allowingConflict: true)
        tree.prune(toDepth: depth)
        // Nothing changed, so there is nothing to notify observers of.
        if tree == before { return .known }
        history.form = .tree(tree)
        let saved = try write(
            history, isNew: old?.flags.contains(.deleted) ?? true, over: old,
            keepsSequence: !isNew, in: transaction)
        guard isNew else { return .known }
        return tree.current?.id == before.current?.id ? .conflict : .saved(saved)
    }

    // Version vectors.

    private func insert(
        _ id: String, _ incoming: IncomingRevision, _ new: NewRevision, _ remote: Int?,
        over old: Record?, in transaction: Transaction
    ) throws -> InsertResult {
        guard let row = old, !row.isBareTombstone else {
            guard try transaction.writtenVersioning() == .versionVectors else {
                throw Self.otherKind(id, incoming.revision)
            }
            return try replace(
                id, incoming, new, remote, RemoteRevisions(), over: old, in: transaction)
        }
        var history = try DocumentHistory(row, sharedKeys: transaction.sharedKeys)
        if history.tree != nil, try transaction.writtenVersioning() == .versionVectors {
            history = try history.upgradedToVector()
        }
        guard case .vector(let current, var remotes) = history.form else {
            throw Self.otherKind(id, incoming.revision)
        }
        if let remote, incoming.isKnown(to: remote, remotes) { return .known }
        let order = incoming.order(to: history, current)
        switch order {
        case .newer:
            return try replace(
                id, incoming, new, remote, remotes.ended(by: incoming.vector), over: old,
                in: transaction)
        case .same, .older:
            guard let remote else { return .known }
            remotes.setRemote(remote, to: try new.revision(incoming.stored, of: remote))
        case .conflicting:
            guard let remote else {
                throw StoreError(
                    .conflict,
                    "the revision \(incoming.vector.text) of document \"\(id)\" conflicts with "
                        + "the stored one; specify which remote it comes from")
            }
            var other = try new.revision(incoming.stored, of: remote)
            other.flags.insert(.conflicted)
            other.base = remotes.revision(ofRemote: remote)?.ancestor
            remotes.setRemote(remote, to: other)
        }
        history.form = .vector(current, remotes)
        try write(history, over: old, keepsSequence: true, in: transaction)
        return order == .conflicting ? .conflict : .known
    }

    /// Makes a remote's revision the current one.
    private func replace(
        _ id: String, _ incoming: IncomingRevision, _ new: NewRevision, _ remote: Int?,
        _ remotes: RemoteRevisions, over old: Record?, in transaction: Transaction
    ) throws -> InsertResult {
        var remotes = remotes
        if let legacy = incoming.legacy { remotes.setLegacy(legacy) }
        if remote == 1, case .vector(let vector) = incoming.revision,
            remotes.all.allSatisfy({ $0.remote == 1 }), remotes.legacyRevisionID == nil
        {
            return .saved(try replace(id, vector, new, over: old, in: transaction))
        }
        if let remote {
            remotes.setRemote(remote, to: try new.revision(incoming.stored, of: remote))
        }
        var history = try DocumentHistory(id, incoming.vector, new, remotes)
        history.received = incoming.received
        return .saved(
            try write(
                history, isNew: old?.flags.contains(.deleted) ?? true, over: old, in: transaction))
    }

    /// Makes a version of the first remote the current one; a flag says that the remote has it.
    private func replace(
        _ id: String, _ vector: VersionVector, _ new: NewRevision, over old: Record?,
        in transaction: Transaction
    ) throws -> Saved {
        let result = try vector.withBinary { version in
            try keyStore.put(
                id,
                RowContent(
                    version: version, body: new.body, extra: nil,
                    flags: new.flags.union(.synced)),
                expecting: .state(of: old), in: transaction)
        }
        guard case .saved(let sequence, let subsequence) = result else {
            throw StoreError.lostRow(id)
        }
        return Saved(
            id: id, revisionID: .vector(vector), sequence: sequence, subsequence: subsequence,
            isNew: old?.flags.contains(.deleted) ?? true, isPlain: false)
    }

    private static func otherKind(_ id: String, _ revision: RevisionID) -> StoreError {
        StoreError(
            .badRevisionID,
            "the revision \(revision) cannot be written to document \"\(id)\", whose revisions "
                + "have the other form")
    }
}

extension NewRevision {
    /// The revision as a remote's latest one.
    fileprivate func revision(_ id: RevisionID, of remote: Int) throws -> RemoteRevision {
        RemoteRevision(
            remote: remote, revisionID: id, flags: flags,
            properties: try document().root.dictionary)
    }
}

/// A revision to write; its bytes are borrowed for the duration of a call.
struct NewRevision {
    /// The Fleece of its body; nil if it has no properties.
    let body: UnsafeRawBufferPointer?
    /// The document's new flags: `.deleted`, `.hasAttachments` or none.
    let flags: DocumentFlags
    /// The shared keys that the body's integer keys refer to.
    let sharedKeys: SharedKeys

    /// A revision that deletes the document.
    static func tombstone(_ sharedKeys: SharedKeys) -> NewRevision {
        NewRevision(body: nil, flags: .deleted, sharedKeys: sharedKeys)
    }

    /// The body of a revision without properties, for rows that need a body.
    static let emptyBody: [UInt8] = [0x70, 0x00]

    /// A copy of the body; an empty dictionary if there is none.
    var bodyBytes: [UInt8] { body.map { [UInt8]($0) } ?? Self.emptyBody }

    /// The body as a separate Fleece document.
    func document() throws -> FleeceDocument {
        guard let body else {
            return try FleeceDocument(trusted: Self.emptyBody, sharedKeys: sharedKeys)
        }
        return try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
    }
}
