extension RevisionTree {
    /// The indexes of the active leaves other than the current revision: alive, or the latest of a
    /// remote.
    public var conflicts: [Int] { activeLeaves.filter { $0 != 0 } }

    /// Whether more than one leaf is alive or the latest of a remote.
    public var isConflicted: Bool { activeLeaves.count > 1 }

    /// The leaves that somebody may still want: those that are alive, and deleted ones that are
    /// some remote's latest.
    private var activeLeaves: [Int] {
        let known = Set(remotes.map(\.revision))
        return revisions.indices.filter { index in
            revisions[index].isLeaf && (!revisions[index].isDeleted || known.contains(index))
        }
    }

    /// Lets one leaf win against another, and returns the index of the winner, which is now the
    /// current revision unless there is a better leaf.
    ///
    /// The loser's branch goes, up to where it left another one; remotes that knew it know the
    /// revision there instead. Or it is ended by a revision that deletes and closes it, so that it
    /// can be told to remotes.
    /// - Parameters:
    ///   - winner: the index of a leaf; it and its branch are no conflict any more.
    ///   - loser: the index of another leaf.
    ///   - closing: whether the loser's branch is ended instead of purged.
    ///
    /// Throws `.invalidParameter` if they are not two leaves, `.corruptRevisionData` if one is only
    /// marked as a leaf; when closing, also as `add` does.
    @discardableResult
    public mutating func resolveConflict(
        winner: Int, loser: Int, closing: Bool = false
    ) throws -> Int {
        guard winner != loser, isLeaf(winner), isLeaf(loser) else {
            throw StoreError(
                .invalidParameter,
                "a conflict is between two leaves, and \(winner) and \(loser) are not")
        }
        let children = childCounts()
        guard children[winner] == 0, children[loser] == 0 else {
            throw StoreError(
                .corruptRevisionData,
                "the tree is damaged: a revision is marked as a leaf, and another stands on it")
        }
        let winnerID = revisions[winner].id
        if closing {
            let loserID = try RevisionID(binary: revisions[loser].id)
            let end = try RevisionID.child(of: loserID, isDeleted: true, body: nil).binary
            try Self.check([end], after: revisions[loser].generation)
            try checkSpace(for: 1, nil)
            guard index(of: end) == nil else {
                throw StoreError(.conflict, "the branch of \(loserID) has been closed already")
            }
            append([end], after: loser, nil, [.deleted, .closed])
            endConflict(at: revisions.count - 1)
            endConflict(at: winner)
            return settle(winnerID)
        }
        endConflict(at: winner)
        reorder(keeping: kept(withoutLeaf: loser))
        return index(of: winnerID) ?? 0
    }

    /// Removes a leaf and its branch, up to where that left another one.
    ///
    /// Remotes that knew it know the revision there instead. If the leaves that stay have all lost,
    /// the best of them wins. A tree can become empty.
    ///
    /// Throws `.invalidParameter` if it is not a leaf.
    public mutating func purge(leaf: Int) throws {
        guard isLeaf(leaf) else {
            throw StoreError(.invalidParameter, "the revision \(leaf) is no leaf of its tree")
        }
        let isKept = kept(withoutLeaf: leaf)
        if let best = bestLeaf(keeping: isKept) { endConflict(at: best) }
        reorder(keeping: isKept)
    }

    private func isLeaf(_ index: Int) -> Bool {
        revisions.indices.contains(index) && revisions[index].isLeaf
    }

    /// Takes the mark of a conflict from a revision and from its branch.
    private mutating func endConflict(at leaf: Int) {
        var next: Int? = leaf
        while let index = next, revisions[index].flags.contains(.conflict) {
            revisions[index].flags.remove(.conflict)
            next = revisions[index].parent
        }
    }

    /// All revisions but a leaf and those ancestors that have no other descendant.
    private func kept(withoutLeaf leaf: Int) -> [Bool] {
        let children = childCounts()
        var isKept = [Bool](repeating: true, count: revisions.count)
        guard children[leaf] == 0 else { return isKept }
        isKept[leaf] = false
        var next = revisions[leaf].parent
        while let index = next, children[index] == 1 {
            isKept[index] = false
            next = revisions[index].parent
        }
        return isKept
    }
}
