extension RevisionTree {
    /// The indexes of the leaves that somebody may still want: those that are alive, and deleted
    /// ones that are some remote's latest.
    var activeLeaves: [Int] {
        let known = Set(remotes.map(\.revision))
        return revisions.indices.filter { index in
            revisions[index].isLeaf && (!revisions[index].isDeleted || known.contains(index))
        }
    }

    /// The indexes of the active leaves other than the current revision: alive, or the latest of a
    /// remote.
    public var conflicts: [Int] { activeLeaves.filter { $0 != 0 } }

    /// Whether more than one leaf is alive or the latest of a remote.
    public var isConflicted: Bool { activeLeaves.count > 1 }
}
