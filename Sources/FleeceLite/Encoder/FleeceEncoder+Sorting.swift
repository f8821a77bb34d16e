/// A pair of a dictionary, with what decides its place among the others.
struct SortedPair: BitwiseCopyable {
    let rank: KeyRank
    let key: SlotItem
    let value: SlotItem
    /// Which of the pairs it was, in the order they were written.
    let index: UInt32
}

/// The beginning of a key as two numbers, ordered as keys are: enough for any of 15 bytes.
struct KeyRank: BitwiseCopyable, Equatable {
    /// Numbers from 0 to 4095; for a string a 1, then its first seven bytes.
    let high: UInt64
    /// The next eight bytes.
    let low: UInt64

    @inline(__always)
    static func < (left: KeyRank, right: KeyRank) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The rank of a string of at most 15 bytes.
    @inline(__always)
    init(_ text: ShortText) {
        let first = text.low.byteSwapped
        let second = text.highBytes.byteSwapped
        high = first &>> 8 | 1 &<< 56
        low = first &<< 56 | second &>> 8
    }

    init(number: Int) {
        high = UInt64(truncatingIfNeeded: number &- FleeceLimits.parentKey)
        low = 0
    }
}

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
        var isOrdered = true
        for index in 0..<count {
            let key = items.base[start + 2 * index]
            let pair = SortedPair(
                rank: rank(of: key), key: key, value: items.base[start + 2 * index + 1],
                index: UInt32(truncatingIfNeeded: index))
            if index > 0, !precedes(sorting.base[index - 1], pair) { isOrdered = false }
            sorting.append(pair)
        }
        return isOrdered
    }

    /// Insertion for the few keys of most dictionaries; both ways keep equal keys in order.
    private mutating func sortStably(_ count: Int) {
        guard count <= 48 else {
            var pairs = UnsafeMutableBufferPointer(start: sorting.base, count: count)
            pairs.sort { left, right in
                let order = compareKeys(left, right)
                return order < 0 || order == 0 && left.index < right.index
            }
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
            if kept > 0, sorting.base[kept - 1].rank == pair.rank,
                compareKeys(sorting.base[kept - 1], pair) == 0
            {
                kept -= 1
            }
            sorting.base[kept] = pair
            kept += 1
        }
        return kept
    }

    @inline(__always)
    private func precedes(_ left: SortedPair, _ right: SortedPair) -> Bool {
        left.rank == right.rank ? compareKeys(left, right) < 0 : left.rank < right.rank
    }

    @inline(never)
    private func compareKeys(_ left: SortedPair, _ right: SortedPair) -> Int {
        if left.rank != right.rank { return left.rank < right.rank ? -1 : 1 }
        if left.key == right.key { return 0 }
        return withText(of: left.key) { left in
            withText(of: right.key) { right in compare(left, right) }
        }
    }
}

extension FleeceEncoder {
    @inline(__always)
    private func rank(of key: SlotItem) -> KeyRank {
        if let number = key.number { return KeyRank(number: number) }
        if let target = key.target {
            let header = output.base[target]
            let count = Int(header & 0x0F)
            // What is behind a string of the output belongs to the output's buffer, too.
            if count < 15, output.capacity &- target >= 17 {
                let text = UnsafeRawPointer(output.base + target) + 1
                return KeyRank(
                    ShortText(
                        low: UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)),
                        high: UInt64(
                            littleEndian: text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                        count: count))
            }
        }
        return rankOfOther(key)
    }

    @inline(never)
    private func rankOfOther(_ key: SlotItem) -> KeyRank {
        withText(of: key) { text in
            let count = min(text.count, ShortText.maximumCount)
            return KeyRank(ShortText(UnsafeRawBufferPointer(rebasing: text[..<count])))
        }
    }

    /// The text of a key that is a string: it stands in the output, in the base or in the item.
    @inline(__always)
    private func withText<T>(of key: SlotItem, _ body: (UnsafeRawBufferPointer) -> T) -> T {
        if let target = key.target {
            let value = RawValue(
                base: UnsafeRawPointer(output.base), offset: target, limit: output.count)
            return body(value.string ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
        if key.isPointer { return withTextInBase(of: key, body) }
        let length = Int(key.bits >> 24 & 1)
        return withUnsafeBytes(of: UInt8(truncatingIfNeeded: key.bits >> 16)) { byte in
            body(UnsafeRawBufferPointer(rebasing: byte[..<length]))
        }
    }

    private func withTextInBase<T>(
        of key: SlotItem, _ body: (UnsafeRawBufferPointer) -> T
    ) -> T {
        body(base?.string(at: key) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
