extension FleeceEncoder {
    /// Brings the pairs of a dictionary into the order of the format, and drops all but the last
    /// of those with equal keys; returns how many are left.
    @inline(never)
    mutating func sortPairs(of frame: Frame) -> Int {
        let count = Int(frame.keys)
        let isFollowed = frame.shape != DictionaryShapes.none
        let isOrdered = collectPairs(from: frame.start, count)
        if !isFollowed { shapes.countMiss() }
        if isOrdered {
            learnOrder(DictionaryShapes.Node.sorted, at: frame.shape)
            return count
        }
        sortStably(count)
        let kept = dropOverwritten(count)
        for index in 0..<kept {
            items.base[frame.start + 2 * index] = sorting.base[index].key
            items.base[frame.start + 2 * index + 1] = sorting.base[index].value
        }
        if kept < count {
            learnOrder(DictionaryShapes.Node.irregular, at: frame.shape)
        } else if isFollowed,
            shapes.nodes[Int(frame.shape)].order
                == DictionaryShapes.Node.unordered
        {
            let order = (0..<count).map { UInt16(truncatingIfNeeded: sorting.base[$0].index) }
            order.withUnsafeBufferPointer { shapes.record(order: $0, at: frame.shape) }
        }
        return kept
    }

    private mutating func learnOrder(_ order: Int32, at node: UInt32) {
        if node != DictionaryShapes.none { shapes.nodes[Int(node)].order = order }
    }

    /// Copies the pairs to `sorting`; returns whether they are in order already.
    private mutating func collectPairs(from start: Int, _ count: Int) -> Bool {
        sorting.removeAll()
        sorting.reserve(count)
        let texts = KeyStrings(output, base)
        var isOrdered = true
        for index in 0..<count {
            let key = items.base[start + 2 * index]
            let pair = SortedPair(
                rank: texts.rank(of: key), key: key, value: items.base[start + 2 * index + 1],
                index: UInt32(truncatingIfNeeded: index))
            if index > 0, !texts.precedes(sorting.base[index - 1], pair) { isOrdered = false }
            sorting.append(pair)
        }
        return isOrdered
    }

    /// Insertion for the few keys of most dictionaries; both ways keep equal keys in order.
    private mutating func sortStably(_ count: Int) {
        let texts = KeyStrings(output, base)
        guard count <= 48 else {
            var pairs = UnsafeMutableBufferPointer(start: sorting.base, count: count)
            pairs.sort { left, right in
                let order = texts.compareKeys(left, right)
                return order < 0 || order == 0 && left.index < right.index
            }
            return
        }
        for index in 1..<count {
            let pair = sorting.base[index]
            var place = index
            while place > 0, texts.precedes(pair, sorting.base[place - 1]) {
                sorting.base[place] = sorting.base[place - 1]
                place -= 1
            }
            sorting.base[place] = pair
        }
    }

    /// Of pairs with equal keys, which now stand together, keeps the last; returns how many stay.
    private mutating func dropOverwritten(_ count: Int) -> Int {
        let texts = KeyStrings(output, base)
        var kept = 0
        for index in 0..<count {
            let pair = sorting.base[index]
            if kept > 0, sorting.base[kept - 1].rank == pair.rank,
                texts.compareKeys(sorting.base[kept - 1], pair) == 0
            {
                kept -= 1
            }
            sorting.base[kept] = pair
            kept += 1
        }
        return kept
    }
}
