public import FleeceLite
public import StoreFormat

extension DocumentCollection {
    /// What became of a revision of another database.
    public enum InsertResult: Sendable {
        /// It is the current one now.
        case saved(Saved)
        /// This database has it, or a later one.
        case known
        /// It is kept beside the current one, until somebody resolves the conflict.
        case conflict
    }

    /// Writes a revision that another database has made, with the id that it has there: what
    /// replication and imports do.
    ///
    /// - Parameters:
    ///   - id: the document's id.
    ///   - history: the revision and, in a file with revision trees, those that it stands on, the
    ///     newest first, down to one that is known here or to the first. In a file with version
    ///     vectors the vector alone.
    ///   - isDeleted: whether the document is deleted in it.
    ///   - remote: the number of the remote that it comes from; see `Transaction.remoteID(of:)`.
    ///   - write: writes its body, one dictionary.
    ///
    /// Throws `.badRevisionID` for a history that cannot be, or of the other kind than the
    /// document's; `.conflict` for a vector in conflict that comes from no remote, as nothing keeps
    /// it then; and as saving does.
    public func insert(
        _ id: String, history: [RevisionID], isDeleted: Bool = false, remote: Int? = nil,
        in transaction: Transaction, _ write: (inout FleeceEncoder) throws -> Void
    ) throws -> InsertResult {
        try DocumentID.validate(id)
        guard let newest = history.first else {
            throw StoreError(.badRevisionID, "a revision of \"\(id)\" without an id")
        }
        if let remote { try RemoteRevisions.requireNumber(remote) }
        return try withNewRevision(in: transaction, write) { body in
            let new = NewRevision(
                body: body.body, flags: isDeleted ? body.flags.union(.deleted) : body.flags,
                sharedKeys: body.sharedKeys)
            let old = try keyStore.get(id, in: transaction)
            switch newest {
            case .vector(let vector):
                guard history.count == 1 else {
                    throw StoreError(
                        .badRevisionID,
                        "a version vector is its own history; \(history.count - 1) more revisions "
                            + "came with the one of \"\(id)\"")
                }
                return try insert(id, vector, new, remote, over: old, in: transaction)
            case .digest:
                return try insert(id, history, new, remote, over: old, in: transaction)
            }
        }
    }

    // Trees.

    private func insert(
        _ id: String, _ ids: [RevisionID], _ new: NewRevision, _ remote: Int?,
        over old: Record?, in transaction: Transaction
    ) throws -> InsertResult {
        let keys = transaction.sharedKeys
        var history =
            try old.map { try DocumentHistory($0, sharedKeys: keys) }
            ?? DocumentHistory(newTree: id, sharedKeys: keys)
        guard case .tree(var tree) = history.form,
            try old?.isBareTombstone == false
                || transaction.writtenVersioning() != .versionVectors
        else { throw Self.otherKind(id, ids[0]) }
        let before = tree
        let isNew = tree.index(of: ids[0].binary) == nil
        let depth = try transaction.maximumTreeDepth()
        tree.makeSpace(for: ids.count, depth: depth)
        try tree.insert(
            history: ids.map(\.binary), body: new.bodyBytes, flags: new.flags.ofRevision,
            remote: remote.map { UInt16($0) }, allowingConflict: true)
        tree.prune(toDepth: depth)
        // Without a change there is nothing to tell anybody.
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
        _ id: String, _ vector: VersionVector, _ new: NewRevision, _ remote: Int?,
        over old: Record?, in transaction: Transaction
    ) throws -> InsertResult {
        guard let row = old, !row.isBareTombstone else {
            guard try transaction.writtenVersioning() == .versionVectors else {
                throw Self.otherKind(id, .vector(vector))
            }
            return try replace(
                id, vector, new, remote, RemoteRevisions(), over: old, in: transaction)
        }
        var history = try DocumentHistory(row, sharedKeys: transaction.sharedKeys)
        if try transaction.writtenVersioning() == .versionVectors {
            history = try history.upgradedToVector()
        }
        guard case .vector(let current, var remotes) = history.form else {
            throw Self.otherKind(id, .vector(vector))
        }
        if let remote, remotes.has(vector, remote: remote) { return .known }
        let order = vector.compare(to: current)
        switch order {
        case .newer:
            return try replace(
                id, vector, new, remote, remotes.ended(by: vector), over: old, in: transaction)
        case .same, .older:
            guard let remote else { return .known }
            remotes.setRemote(remote, to: try new.revision(vector, of: remote))
        case .conflicting:
            guard let remote else {
                throw StoreError(
                    .conflict,
                    "the version \(vector.text) of document \"\(id)\" is in conflict with the "
                        + "one that is there; say which remote it comes from")
            }
            var other = try new.revision(vector, of: remote)
            other.flags.insert(.conflicted)
            remotes.setRemote(remote, to: other)
        }
        history.form = .vector(current, remotes)
        try write(history, over: old, keepsSequence: true, in: transaction)
        return order == .conflicting ? .conflict : .known
    }

    /// Makes a version of a remote the current one.
    private func replace(
        _ id: String, _ vector: VersionVector, _ new: NewRevision, _ remote: Int?,
        _ remotes: RemoteRevisions, over old: Record?, in transaction: Transaction
    ) throws -> InsertResult {
        var remotes = remotes
        if let remote { remotes.setRemote(remote, to: try new.revision(vector, of: remote)) }
        let history = try DocumentHistory(id, vector, new, remotes)
        return .saved(
            try write(
                history, isNew: old?.flags.contains(.deleted) ?? true, over: old, in: transaction))
    }

    private static func otherKind(_ id: String, _ revision: RevisionID) -> StoreError {
        StoreError(
            .badRevisionID,
            "the revision \(revision) cannot be written to document \"\(id)\", whose revisions "
                + "are of the other kind")
    }
}

extension NewRevision {
    /// The revision as the latest one that a remote has.
    fileprivate func revision(_ vector: VersionVector, of remote: Int) throws -> RemoteRevision {
        RemoteRevision(
            remote: remote, revisionID: .vector(vector), flags: flags,
            properties: try document().root.dictionary)
    }
}

extension RemoteRevisions {
    /// Whether a remote is known to have a version, or a later one: what it has does not get older.
    fileprivate func has(_ vector: VersionVector, remote: Int) -> Bool {
        guard case .vector(let known) = revision(ofRemote: remote)?.revisionID else { return false }
        return switch vector.compare(to: known) {
        case .same, .older: true
        case .newer, .conflicting: false
        }
    }
}

/// A revision that is to be written; its bytes are borrowed for the length of a call.
struct NewRevision {
    /// The Fleece of its body, nil if it has no properties.
    let body: UnsafeRawBufferPointer?
    /// What the document becomes: `.deleted`, `.hasAttachments` or nothing.
    let flags: DocumentFlags
    /// The keys that the body's integer keys stand for.
    let sharedKeys: SharedKeys

    /// The revision that makes a document a tombstone.
    static func tombstone(_ sharedKeys: SharedKeys) -> NewRevision {
        NewRevision(body: nil, flags: .deleted, sharedKeys: sharedKeys)
    }

    /// The body of a revision without properties where one has to be stored.
    static let emptyBody: [UInt8] = [0x70, 0x00]

    /// A copy of the body, an empty dictionary if there is none.
    var bodyBytes: [UInt8] { body.map { [UInt8]($0) } ?? Self.emptyBody }

    /// The body as a document of its own.
    func document() throws -> FleeceDocument {
        guard let body else {
            return try FleeceDocument(trusted: Self.emptyBody, sharedKeys: sharedKeys)
        }
        return try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
    }
}
