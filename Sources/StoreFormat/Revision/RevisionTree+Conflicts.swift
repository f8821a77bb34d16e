extension RevisionTree {
    /// The indexes of the active leaves other than the current revision: those that are live, or
    /// the latest of a remote.
    ///
    /// Pass one of them and 0 to ``resolveConflict(winner:loser:closing:)``.
    public var conflicts: [Int] { activeLeaves.filter { $0 != 0 } }

    /// Whether more than one leaf is live or the latest of a remote. It visits all revisions.
    public var isConflicted: Bool { activeLeaves.count > 1 }

    /// The leaves that are still relevant: live ones, and deleted ones that are the latest of a
    /// remote.
    private var activeLeaves: [Int] {
        let remoteRevisions = Set(remotes.map(\.revision))
        return revisions.indices.filter { index in
            revisions[index].isLeaf
                && (!revisions[index].isDeleted || remoteRevisions.contains(index))
        }
    }

    /// Resolves a conflict between two leaves; returns the index of the winner, which is now the
    /// current revision unless another leaf ranks higher.
    ///
    /// The loser's branch is purged, up to where it left another one; remotes that had a revision
    /// of it as their latest get the revision at that point instead. Or, when closing, the branch
    /// is ended by a revision that deletes and closes it, so that it can be replicated.
    ///
    /// ```swift
    /// var tree = revisionTree
    /// while let loser = tree.conflicts.first {
    ///     try tree.resolveConflict(winner: 0, loser: loser)
    /// }
    /// ```
    ///
    /// To merge the contents of both, add a revision with the merged body to the winner afterwards.
    ///
    /// - Parameters:
    ///   - winner: the index of a leaf; it and its branch are no longer in conflict.
    ///   - loser: the index of another leaf.
    ///   - closing: whether to close the loser's branch instead of purging it (default: false).
    /// - Returns: the new index of the winner; others have changed as well.
    /// - Throws: ``StoreError/Code/invalidParameter`` if they are not two leaves,
    ///   ``StoreError/Code/corruptRevisionData`` if one is marked as a leaf but has a child; when
    ///   closing, also as ``add(id:body:flags:parent:)`` does.
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
                "the tree is damaged: a revision is marked as a leaf but has a child")
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
        reorder(retaining: retained(withoutLeaf: loser))
        return index(of: winnerID) ?? 0
    }

    /// Removes a leaf and its branch, up to where that left another one.
    ///
    /// Remotes that had a revision of it as their latest get the revision at that point instead. If
    /// all remaining leaves have lost, the best of them wins. The tree can become empty.
    ///
    /// - Parameter leaf: the index of a leaf.
    /// - Throws: ``StoreError/Code/invalidParameter`` if it is not a leaf.
    public mutating func purge(leaf: Int) throws {
        guard isLeaf(leaf) else {
            throw StoreError(.invalidParameter, "the revision \(leaf) is not a leaf of its tree")
        }
        let isRetained = retained(withoutLeaf: leaf)
        if let best = bestLeaf(retaining: isRetained) { endConflict(at: best) }
        reorder(retaining: isRetained)
    }

    private func isLeaf(_ index: Int) -> Bool {
        revisions.indices.contains(index) && revisions[index].isLeaf
    }

    /// Clears the conflict flag of a revision and of its branch.
    private mutating func endConflict(at leaf: Int) {
        var next: Int? = leaf
        while let index = next, revisions[index].flags.contains(.conflict) {
            revisions[index].flags.remove(.conflict)
            next = revisions[index].parent
        }
    }

    /// All revisions except a leaf and those of its ancestors that have no other descendant.
    private func retained(withoutLeaf leaf: Int) -> [Bool] {
        let children = childCounts()
        var isRetained = [Bool](repeating: true, count: revisions.count)
        guard children[leaf] == 0 else { return isRetained }
        isRetained[leaf] = false
        var next = revisions[leaf].parent
        while let index = next, children[index] == 1 {
            isRetained[index] = false
            next = revisions[index].parent
        }
        return isRetained
    }
}
