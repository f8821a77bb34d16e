internal import FleeceLite
public import StoreFormat

extension DocumentCollection {
    /// Records that a remote has a document's revision, for example after it was sent.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     let remote = try transaction.remoteID(of: "wss://example.com/people")
    ///     guard let ada = try people.get("ada", in: transaction), let revision = ada.revisionID
    ///     else { return }
    ///     try people.setRemote(
    ///         remote, has: revision, of: "ada", sequence: ada.sequence, in: transaction)
    /// }
    /// ```
    ///
    /// The document's revision and sequence stay the same. For the first remote only a flag is set,
    /// as LiteCore does; it costs one lookup by key.
    ///
    /// - Parameters:
    ///   - remote: the number of the remote; see ``Transaction/remoteID(of:)``.
    ///   - revision: the revision that the remote has.
    ///   - id: the document's ID.
    ///   - sequence: the sequence that the document had with this revision.
    ///   - transaction: the transaction to write in.
    /// - Returns: false, and nothing is recorded, if the document has been changed since, or is
    ///   gone.
    /// - Throws: ``StoreError/Code/corruptRevisionData`` or ``StoreError/Code/corruptData`` if the
    ///   document is damaged; and as saving does.
    @discardableResult
    public func setRemote(
        _ remote: Int, has revision: RevisionID, of id: String, sequence: Int64,
        in transaction: Transaction
    ) throws -> Bool {
        try RemoteRevisions.requireNumber(remote)
        if remote == 1 {
            return try keyStore.setFlags(.synced, of: id, sequence: sequence, in: transaction)
        }
        guard let record = try keyStore.get(id, in: transaction), record.sequence == sequence
        else { return false }
        var history = try DocumentHistory(record, sharedKeys: transaction.sharedKeys)
        guard try history.setRemote(remote, to: revision) else { return false }
        try write(history, over: record, keepsSequence: true, in: transaction)
        return true
    }
}

extension DocumentHistory {
    /// Records that a remote has the current revision; false if that is another one.
    fileprivate mutating func setRemote(_ remote: Int, to revision: RevisionID) throws -> Bool {
        guard revisionID == revision else { return false }
        switch form {
        case .tree(var tree):
            tree.setLatest(0, of: UInt16(remote))
            form = .tree(tree)
        case .vector(let vector, var remotes):
            remotes.setRemote(
                remote,
                to: RemoteRevision(
                    remote: remote, revisionID: revision,
                    flags: flags.intersection(RemoteRevision.ownFlags),
                    properties: body?.root.dictionary))
            form = .vector(vector, remotes)
        }
        return true
    }
}
