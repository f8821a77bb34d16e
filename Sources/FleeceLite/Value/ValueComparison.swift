/// The order of two values by what they mean, wherever they lie and however they are written.
///
/// A loop, with the pairs of collections that were found equal kept in mind: shared parts are
/// compared once.
struct ValueComparison {
    /// A value and the key that it has in its dictionary.
    private struct Child {
        let key: UnsafeRawBufferPointer
        let value: RawValue
    }

    private struct Frame {
        let left: [Child]
        let right: [Child]
        var next = 0
    }

    private struct Pair: Hashable {
        let left: UnsafeRawPointer
        let right: UnsafeRawPointer
    }

    /// Shorter texts cost less than a note of them.
    private static let shortText = 64

    private let leftKeys: SharedKeys
    private let rightKeys: SharedKeys
    private var frames: [Frame] = []
    private var seen: Set<Pair> = []
    private var seenTexts: Set<Pair> = []

    init(leftKeys: SharedKeys, rightKeys: SharedKeys) {
        self.leftKeys = leftKeys
        self.rightKeys = rightKeys
    }

    /// Negative, zero or positive as `left` comes before, equals or comes after `right`.
    mutating func compare(_ left: RawValue, _ right: RawValue) -> Int {
        let order = begin(left, right)
        if order != 0 { return order }
        while let frame = frames.last {
            let index = frame.next
            guard index < frame.left.count, index < frame.right.count else {
                if frame.left.count != frame.right.count {
                    return frame.left.count - frame.right.count
                }
                frames.removeLast()
                continue
            }
            frames[frames.count - 1].next += 1
            let (left, right) = (frame.left[index], frame.right[index])
            let keys = compareOnce(left.key, right.key)
            if keys != 0 { return keys }
            let values = begin(left.value, right.value)
            if values != 0 { return values }
        }
        return 0
    }

    /// The order of scalars; for collections 0, and a frame with what is in them.
    private mutating func begin(_ left: RawValue, _ right: RawValue) -> Int {
        let (leftRank, rightRank) = (Self.rank(left), Self.rank(right))
        if leftRank != rightRank { return leftRank - rightRank }
        if let left = FleeceNumber(left), let right = FleeceNumber(right) {
            return left.compared(to: right)
        }
        for tag in [FleeceTag.string, FleeceTag.data] {
            if let left = left.bytes(tag: tag), let right = right.bytes(tag: tag) {
                return compareOnce(left, right)
            }
        }
        guard left.tag == FleeceTag.array || left.tag == FleeceTag.dictionary else { return 0 }
        let pair = Pair(left: left.base + left.offset, right: right.base + right.offset)
        if seen.insert(pair).inserted {
            frames.append(
                Frame(
                    left: Self.children(left, leftKeys), right: Self.children(right, rightKeys)))
        }
        return 0
    }

    /// Long texts that have been compared, and go on to be, were equal.
    private mutating func compareOnce(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        if left.count == right.count, left.count > Self.shortText,
            let left = left.baseAddress, let right = right.baseAddress,
            left == right || !seenTexts.insert(Pair(left: left, right: right)).inserted
        {
            return 0
        }
        return FleeceLite.compare(left, right)
    }

    private static func children(_ value: RawValue, _ keys: SharedKeys) -> [Child] {
        if let array = value.array {
            return (0..<array.count).map { index in
                Child(key: noKey, value: array.slot(index) ?? .undefined)
            }
        }
        guard let dictionary = value.dictionary else { return [] }
        // A property that is undefined is no property.
        let children = RawPairs(dictionary).compactMap { pair -> Child? in
            guard let value = pair.value, rank(value) > 0 else { return nil }
            return keys.text(of: pair.key).map { Child(key: $0, value: value) }
        }
        let isSorted = zip(children, children.dropFirst()).allSatisfy { order($0.key, $1.key) <= 0 }
        return isSorted ? children : children.sorted { order($0.key, $1.key) < 0 }
    }

    private static var noKey: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// A long key that many pairs point to is not compared with itself.
    private static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        if left.baseAddress == right.baseAddress, left.count == right.count { return 0 }
        return FleeceLite.compare(left, right)
    }

    /// undefined, null, false, true, numbers, strings, data, arrays, dictionaries.
    static func rank(_ value: RawValue) -> Int {
        guard value.has(2) else { return 0 }
        switch value.tag {
        case FleeceTag.special:
            switch value.byte(0) {
            case FleeceSpecial.undefined: return 0
            case FleeceSpecial.false: return 2
            case FleeceSpecial.true: return 3
            default: return 1
            }
        case FleeceTag.shortInteger, FleeceTag.integer, FleeceTag.float: return 4
        case FleeceTag.string: return 5
        case FleeceTag.data: return 6
        case FleeceTag.array: return 7
        case FleeceTag.dictionary: return 8
        default: return 0
        }
    }
}
