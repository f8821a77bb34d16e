extension FleeceEncoder {
    /// Sorts the pairs of a dictionary into the order of the format, and drops all but the last of
    /// the pairs with equal keys; returns the number of pairs left.
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
        let remaining = dropOverwritten(count)
        for index in 0..<remaining {
            items.base[frame.start + 2 * index] = sorting.base[index].key
            items.base[frame.start + 2 * index + 1] = sorting.base[index].value
        }
        if remaining < count {
            learnOrder(DictionaryShapes.Node.irregular, at: frame.shape)
        } else if isFollowed,
            shapes.nodes[Int(frame.shape)].order
                == DictionaryShapes.Node.unordered
        {
            let order = (0..<count).map { UInt16(truncatingIfNeeded: sorting.base[$0].index) }
            order.withUnsafeBufferPointer { shapes.record(order: $0, at: frame.shape) }
        }
        return remaining
    }

    private mutating func learnOrder(_ order: Int32, at node: UInt32) {
        if node != DictionaryShapes.none { shapes.nodes[Int(node)].order = order }
    }

    /// Copies the pairs to `sorting`; returns whether they are in order already.
    private mutating func collectPairs(from start: Int, _ count: Int) -> Bool {
        sorting.removeAll()
        sorting.reserve(count)
        let keyStrings = KeyStrings(output, base)
        var isOrdered = true
        for index in 0..<count {
            let key = items.base[start + 2 * index]
            let pair = SortedPair(
                rank: keyStrings.rank(of: key), key: key, value: items.base[start + 2 * index + 1],
                index: UInt32(truncatingIfNeeded: index))
            if index > 0, !keyStrings.precedes(sorting.base[index - 1], pair) { isOrdered = false }
            sorting.append(pair)
        }
        return isOrdered
    }

    /// Uses insertion sort for the few keys of most dictionaries; both algorithms are stable.
    private mutating func sortStably(_ count: Int) {
        let keyStrings = KeyStrings(output, base)
        guard count <= 48 else {
            var pairs = UnsafeMutableBufferPointer(start: sorting.base, count: count)
            pairs.sort { left, right in
                let order = keyStrings.compareKeys(left, right)
                return order < 0 || order == 0 && left.index < right.index
            }
            return
        }
        for index in 1..<count {
            let pair = sorting.base[index]
            var position = index
            while position > 0, keyStrings.precedes(pair, sorting.base[position - 1]) {
                sorting.base[position] = sorting.base[position - 1]
                position -= 1
            }
            sorting.base[position] = pair
        }
    }

    /// Of adjacent pairs with equal keys, keeps the last; returns the number of pairs left.
    private mutating func dropOverwritten(_ count: Int) -> Int {
        let keyStrings = KeyStrings(output, base)
        var remaining = 0
        for index in 0..<count {
            let pair = sorting.base[index]
            if remaining > 0, sorting.base[remaining - 1].rank == pair.rank,
                keyStrings.compareKeys(sorting.base[remaining - 1], pair) == 0
            {
                remaining -= 1
            }
            sorting.base[remaining] = pair
            remaining += 1
        }
        return remaining
    }
}
