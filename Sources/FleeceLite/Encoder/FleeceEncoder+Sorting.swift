/// A pair of a dictionary, with what decides its place among the others.
struct SortedPair: BitwiseCopyable {
    /// Numbers below all strings; then the first bytes of the string.
    var rank: UInt64
    var key: SlotItem
    var value: SlotItem
}

extension FleeceEncoder {
    /// Brings the pairs of the innermost dictionary into the order of the format, and drops all
    /// but the last of those with equal keys.
    mutating func sortPairs(from start: Int) {
        let count = (items.count - start) / 2
        guard count > 1 else { return }
        sorting.removeAll()
        var isSorted = true
        for index in 0..<count {
            let pair = pair(at: start + 2 * index)
            if index > 0, !precedes(sorting.base[index - 1], pair) { isSorted = false }
            sorting.append(pair)
        }
        guard !isSorted else { return }
        sortStably(count)
        let kept = dropOverwritten(count)
        for index in 0..<kept {
            items.base[start + 2 * index] = sorting.base[index].key
            items.base[start + 2 * index + 1] = sorting.base[index].value
        }
        items.removeAll(from: start + 2 * kept)
    }

    /// Insertion for the few keys of most dictionaries; both ways keep equal keys in order.
    private mutating func sortStably(_ count: Int) {
        guard count <= 32 else {
            let pairs = UnsafeMutableBufferPointer(start: sorting.base, count: count)
            let sorted = pairs.enumerated().sorted { left, right in
                let order = compareKeys(left.element, right.element)
                return order < 0 || order == 0 && left.offset < right.offset
            }
            for (index, pair) in sorted.enumerated() { pairs[index] = pair.element }
            return
        }
        for index in 1..<count {
            let pair = sorting.base[index]
            var place = index
            while place > 0, precedes(pair, sorting.base[place - 1]) {
                sorting.base[place] = sorting.base[place - 1]
                place -= 1
            }
            sorting.base[place] = pair
        }
    }

    /// Of pairs with equal keys, which now stand together, keeps the last; returns how many stay.
    private mutating func dropOverwritten(_ count: Int) -> Int {
        var kept = 0
        for index in 0..<count {
            let pair = sorting.base[index]
            if kept > 0, compareKeys(sorting.base[kept - 1], pair) == 0 { kept -= 1 }
            sorting.base[kept] = pair
            kept += 1
        }
        return kept
    }

    private func pair(at index: Int) -> SortedPair {
        let key = items.base[index]
        return SortedPair(rank: rank(of: key), key: key, value: items.base[index + 1])
    }

    private func rank(of key: SlotItem) -> UInt64 {
        if let number = key.number { return UInt64(number - FleeceLimits.parentKey) }
        return withText(of: key) { text in
            // Seven bytes below a top byte of 1: a number's rank is below 4096.
            var rank: UInt64 = 1
            for index in 0..<7 {
                rank = rank << 8 | (index < text.count ? UInt64(text[index]) : 0)
            }
            return rank
        }
    }

    @inline(__always)
    private func precedes(_ left: SortedPair, _ right: SortedPair) -> Bool {
        left.rank == right.rank ? compareKeys(left, right) < 0 : left.rank < right.rank
    }

    private func compareKeys(_ left: SortedPair, _ right: SortedPair) -> Int {
        if left.rank != right.rank { return left.rank < right.rank ? -1 : 1 }
        if left.key.number != nil { return 0 }
        return withText(of: left.key) { left in
            withText(of: right.key) { right in compare(left, right) }
        }
    }

    /// The text of a key that is a string: it stands in the output, or in the item itself.
    @inline(__always)
    private func withText<T>(of key: SlotItem, _ body: (UnsafeRawBufferPointer) -> T) -> T {
        if let target = key.target {
            let value = RawValue(
                base: UnsafeRawPointer(output.base), offset: target, limit: output.count)
            return body(value.string ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let length = Int(key.inlineBytes >> 8 & 1)
        return withUnsafeBytes(of: UInt8(truncatingIfNeeded: key.inlineBytes)) { byte in
            body(UnsafeRawBufferPointer(rebasing: byte[..<length]))
        }
    }
}
