extension RevisionTree {
    /// Removes the revisions that are farther than `depth` from every leaf, a leaf being 1 deep,
    /// and returns how many they were.
    ///
    /// What others refer to stays: the latest of remotes, refused revisions, and the branches of
    /// unresolved conflicts with the revision where each left the current branch. Children of what
    /// goes are attached to the nearest ancestor that stays.
    @discardableResult
    public mutating func prune(toDepth depth: Int) -> Int {
        guard revisions.count > max(1, depth) else { return 0 }
        var isKept = depths().map { $0 <= max(1, depth) }
        for remote in remotes { isKept[remote.revision] = true }
        for index in rejected { isKept[index] = true }
        keepConflicts(&isKept)
        let count = isKept.count { !$0 }
        if count > 0 { reorder(keeping: isKept) }
        return count
    }

    /// Prunes a tree that has no room for `count` more revisions; others wait until they are added.
    package mutating func makeRoom(for count: Int, depth: Int) {
        if revisions.count + count > Self.maximumRevisions { prune(toDepth: depth) }
    }

    /// How far each revision is from the nearest leaf below it.
    private func depths() -> [Int] {
        var depths = revisions.map { $0.isLeaf ? 1 : Int.max }
        for index in childrenFirst() {
            // Who has no child is as good as a leaf, whatever its flags say.
            if depths[index] == .max { depths[index] = 1 }
            if let parent = revisions[index].parent {
                depths[parent] = min(depths[parent], depths[index] + 1)
            }
        }
        return depths
    }

    /// Keeps the branches of conflicts, each up to the current branch or to one kept before.
    private func keepConflicts(_ isKept: inout [Bool]) {
        var leaves = Set(conflicts)
        for (index, revision) in revisions.enumerated().dropFirst()
        where revision.isLeaf && revision.flags.contains(.conflict) {
            if !revision.flags.contains(.closed) { leaves.insert(index) }
        }
        guard !leaves.isEmpty else { return }
        var isOnCurrentBranch = [Bool](repeating: false, count: revisions.count)
        for index in history(of: 0) { isOnCurrentBranch[index] = true }
        var wasPassed = isOnCurrentBranch
        for leaf in leaves {
            var next: Int? = leaf
            while let index = next {
                isKept[index] = true
                if wasPassed[index] { break }
                wasPassed[index] = true
                next = revisions[index].parent
            }
        }
    }
}
