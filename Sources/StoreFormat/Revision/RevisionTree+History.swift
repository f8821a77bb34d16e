extension RevisionTree {
    /// Adds a revision that was made elsewhere, with as much of its history as is missing here,
    /// and returns its index.
    ///
    /// It is attached to the newest revision of `history` that the tree has. Ancestors that the
    /// tree lacks are added without bodies. If the revision is there already, only a body that it
    /// lacks is filled in. A new branch is marked as a conflict, as `add` does.
    /// - Parameters:
    ///   - history: ids in binary form, the revision first, then its ancestors, newest first. Their
    ///     generations must descend, but may leave some out.
    ///   - body: the Fleece of the revision, nil if it has no properties.
    ///   - flags: what the revision is.
    ///   - remote: the remote that is now known to have it as its latest.
    ///   - allowingConflict: whether it may begin a new branch.
    ///
    /// Throws `.conflict` if it may not, otherwise as `add` does.
    @discardableResult
    public mutating func insert(
        history: [[UInt8]], body: [UInt8]?, flags: Flags = [], remote: UInt16? = nil,
        allowingConflict: Bool
    ) throws -> Int {
        guard let id = history.first else {
            throw StoreError(.invalidParameter, "a history without a revision")
        }
        guard remote != 0 else {
            throw StoreError(.invalidParameter, "remotes are counted from 1")
        }
        try Self.check(history)
        let common = newestKnown(of: history)
        let index: Int
        if let common, common.place == 0 {
            try checkSpace(for: 0, body)
            fill(common.index, body, flags)
            index = common.index
        } else {
            let new = history[..<(common?.place ?? history.count)]
            try checkSpace(for: new.count, body)
            let begins = common.map { !revisions[$0.index].isLeaf } ?? !revisions.isEmpty
            guard allowingConflict || !begins else {
                throw StoreError(
                    .conflict, "the revision \(Self.text(id)) would begin another branch")
            }
            append(new, after: common?.index, body, flags)
            index = settle(id)
        }
        if let remote { setLatest(index, of: remote) }
        return index
    }

    /// The first id of `history` that the tree has: its place there, and its index here.
    private func newestKnown(of history: [[UInt8]]) -> (place: Int, index: Int)? {
        var places: [[UInt8]: Int] = [:]
        for (place, id) in history.enumerated() { places[id] = place }
        var best: (place: Int, index: Int)?
        for (index, revision) in revisions.enumerated() {
            guard let place = places[revision.id], place < best?.place ?? .max else { continue }
            best = (place, index)
        }
        return best
    }

    /// Gives a known revision the body that it lacks.
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
