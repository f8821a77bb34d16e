extension RevisionTree {
    /// Adds a revision that was created in another database, with the missing part of its history;
    /// returns its index.
    ///
    /// It is attached to the newest revision of `history` that the tree has. Missing ancestors are
    /// added without bodies. If the tree has the revision already, only a missing body is filled
    /// in. A new branch is marked as a conflict, as in ``add(id:body:flags:parent:)``.
    ///
    /// ```swift
    /// var tree = revisionTree
    /// let history = try ["3-cc", "2-bb", "1-aa"].map { try RevisionID($0).binary }
    /// let index = try tree.insert(
    ///     history: history, body: bytes, remote: 1, allowingConflict: true)
    /// show(tree.revisions[index].generation)
    /// ```
    ///
    /// - Parameters:
    ///   - history: IDs in binary form: the revision's, then those of its ancestors, newest first.
    ///     Their generations must descend, but may have gaps.
    ///   - body: the Fleece of the revision; nil if it has no properties.
    ///   - flags: the flags of the revision (default: none).
    ///   - remote: the remote whose latest revision it is (default: nil, none).
    ///   - allowingConflict: whether it may start a new branch.
    /// - Returns: the index of the revision.
    /// - Throws: ``StoreError/Code/conflict`` if it would start a branch that is not allowed,
    ///   ``StoreError/Code/invalidParameter`` for an empty history or remote 0, otherwise as
    ///   ``add(id:body:flags:parent:)`` does. The tree is then unchanged.
    @discardableResult
    public mutating func insert(
        history: [[UInt8]], body: [UInt8]?, flags: Flags = [], remote: UInt16? = nil,
        allowingConflict: Bool
    ) throws -> Int {
        guard let id = history.first else {
            throw StoreError(.invalidParameter, "the history has no revision")
        }
        guard remote != 0 else {
            throw StoreError(.invalidParameter, "remotes are counted from 1")
        }
        try Self.check(history)
        let common = newestExisting(of: history)
        let index: Int
        if let common, common.position == 0 {
            try checkSpace(for: 0, body)
            fill(common.index, body, flags)
            index = common.index
        } else {
            let new = history[..<(common?.position ?? history.count)]
            try checkSpace(for: new.count, body)
            let begins = common.map { !revisions[$0.index].isLeaf } ?? !revisions.isEmpty
            guard allowingConflict || !begins else {
                throw StoreError(
                    .conflict, "the revision \(Self.text(id)) would start another branch")
            }
            append(new, after: common?.index, body, flags)
            index = settle(id)
        }
        if let remote { setLatest(index, of: remote) }
        return index
    }

    /// The first ID of `history` that the tree has: its index there, and its index in the tree.
    private func newestExisting(of history: [[UInt8]]) -> (position: Int, index: Int)? {
        var positions: [[UInt8]: Int] = [:]
        for (position, id) in history.enumerated() { positions[id] = position }
        var best: (position: Int, index: Int)?
        for (index, revision) in revisions.enumerated() {
            guard let position = positions[revision.id], position < best?.position ?? .max
            else { continue }
            best = (position, index)
        }
        return best
    }

    /// Sets the body of an existing revision that lacks it.
    private mutating func fill(_ index: Int, _ body: [UInt8]?, _ flags: Flags) {
        guard let body, revisions[index].body == nil else { return }
        var revision = revisions[index]
        revision.flags.formUnion(flags.intersection([.keepBody, .hasAttachments]))
        guard revision.holdsBody else { return }
        revision.body = body
        revisions[index] = revision
        stored = Stored()
    }
}
