internal import FleeceLite

extension RevisionTree {
    /// Puts the revisions into the order of the file, the best leaf first, and lets everything
    /// follow that refers to them.
    ///
    /// Revisions that are not kept go. Their children get the nearest kept ancestor as a parent,
    /// the remotes that knew them know that one instead; without one, nothing.
    mutating func reorder(keeping isKept: [Bool]? = nil) {
        stored = Stored()
        var order = sortedIndexes()
        if let isKept { order.removeAll { !isKept[$0] } }
        var places = [Int?](repeating: nil, count: revisions.count)
        for (place, index) in order.enumerated() { places[index] = place }
        rejected = rejected.compactMap { places[$0] }
        if isKept != nil {
            for index in childrenFirst().reversed() where places[index] == nil {
                places[index] = revisions[index].parent.flatMap { places[$0] }
            }
        }

        remotes = remotes.compactMap { remote in
            places[remote.revision].map { Remote(number: remote.number, revision: $0) }
        }
        let old = revisions
        revisions = order.map { index in
            var revision = old[index]
            revision.parent = revision.parent.flatMap { places[$0] }
            return revision
        }
    }

    /// What decides the order, computed once for each revision.
    private struct Rank {
        /// What stands behind has a higher one.
        var demerit: UInt8
        var generation: UInt64
        var index: Int
    }

    /// Leaves before others, then those that won, live, are open, and have the higher id.
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
        // After the same generation the digests decide, byte by byte.
        if leftID != rightID { return rightID.lexicographicallyPrecedes(leftID) }
        return left.index < right.index
    }

    /// The index of the revision that the order puts first, nil if there are none.
    func bestLeaf(keeping isKept: [Bool]) -> Int? {
        revisions.indices.lazy.filter { isKept[$0] }.map { rank($0) }.min(by: isBefore)?.index
    }

    /// The indexes so that each revision stands behind its children.
    package func childrenFirst() -> [Int] {
        var children = childCounts()
        var order = revisions.indices.filter { children[$0] == 0 }
        order.reserveCapacity(revisions.count)
        var place = 0
        while place < order.count {
            if let parent = revisions[order[place]].parent {
                children[parent] -= 1
                if children[parent] == 0 { order.append(parent) }
            }
            place += 1
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
