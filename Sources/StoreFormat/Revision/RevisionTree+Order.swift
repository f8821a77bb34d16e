internal import FleeceLite

extension RevisionTree {
    /// Sorts the revisions into the order of the file, the best leaf first, and updates all indexes
    /// that refer to them.
    ///
    /// Removes the revisions that are not retained. Their children, and the remotes whose latest
    /// they are, get the nearest retained ancestor; without one, children have no parent and
    /// remotes are removed.
    mutating func reorder(retaining isRetained: [Bool]? = nil) {
        stored = Stored()
        var order = sortedIndexes()
        if let isRetained { order.removeAll { !isRetained[$0] } }
        var newIndexes = [Int?](repeating: nil, count: revisions.count)
        for (position, index) in order.enumerated() { newIndexes[index] = position }
        rejected = rejected.compactMap { newIndexes[$0] }
        if isRetained != nil {
            for index in childrenFirst().reversed() where newIndexes[index] == nil {
                newIndexes[index] = revisions[index].parent.flatMap { newIndexes[$0] }
            }
        }

        remotes = remotes.compactMap { remote in
            newIndexes[remote.revision].map { Remote(number: remote.number, revision: $0) }
        }
        let old = revisions
        revisions = order.map { index in
            var revision = old[index]
            revision.parent = revision.parent.flatMap { newIndexes[$0] }
            return revision
        }
    }

    /// A revision's sort key, computed once for each revision.
    private struct Rank {
        /// Lower comes first.
        var demerit: UInt8
        var generation: UInt64
        var index: Int
    }

    /// Sorts leaves before others, then winning, live, open revisions, and then by descending ID.
    private func sortedIndexes() -> [Int] {
        let ranks = revisions.indices.map { rank($0) }
        let isSorted = zip(ranks, ranks.dropFirst()).allSatisfy { !isBefore($1, $0) }
        if isSorted { return Array(revisions.indices) }
        return ranks.sorted(by: isBefore).map(\.index)
    }

    private func rank(_ index: Int) -> Rank {
        let revision = revisions[index]
        var demerit: UInt8 = revision.isLeaf ? 0 : 8
        if revision.flags.contains(.conflict) { demerit |= 4 }
        if revision.isDeleted { demerit |= 2 }
        if revision.flags.contains(.closed) { demerit |= 1 }
        return Rank(demerit: demerit, generation: revision.generation, index: index)
    }

    private func isBefore(_ left: Rank, _ right: Rank) -> Bool {
        if left.demerit != right.demerit { return left.demerit < right.demerit }
        if left.generation != right.generation { return left.generation > right.generation }
        let (leftID, rightID) = (revisions[left.index].id, revisions[right.index].id)
        // For equal generations the digests are compared byte by byte.
        if leftID != rightID { return rightID.lexicographicallyPrecedes(leftID) }
        return left.index < right.index
    }

    /// The index of the revision that sorts first; nil if there are none.
    func bestLeaf(retaining isRetained: [Bool]) -> Int? {
        revisions.indices.lazy.filter { isRetained[$0] }.map { rank($0) }.min(by: isBefore)?.index
    }

    /// The indexes in an order in which each revision follows its children.
    package func childrenFirst() -> [Int] {
        var children = childCounts()
        var order = revisions.indices.filter { children[$0] == 0 }
        order.reserveCapacity(revisions.count)
        var position = 0
        while position < order.count {
            if let parent = revisions[order[position]].parent {
                children[parent] -= 1
                if children[parent] == 0 { order.append(parent) }
            }
            position += 1
        }
        return order
    }

    /// How many children each revision has.
    package func childCounts() -> [Int] {
        var children = [Int](repeating: 0, count: revisions.count)
        for revision in revisions {
            if let parent = revision.parent { children[parent] += 1 }
        }
        return children
    }
}
