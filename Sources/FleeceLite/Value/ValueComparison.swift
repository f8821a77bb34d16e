/// Compares two values by their meaning, regardless of their position and stored form.
///
/// A loop. Encoders refer to each collection once, so the number of items to compare is limited by
/// the size of a document. If there are more, the comparison starts again, now recording the pairs
/// of collections that were found equal: shared parts are compared once.
struct ValueComparison {
    /// A document, or its borrowed bytes.
    struct Operand {
        let keys: SharedKeys
        /// The number of bytes, including those of the base.
        let size: Int
        fileprivate var origin = RawValue.undefined

        init(_ document: FleeceDocument) {
            keys = document.sharedKeys
            size = document.bytes.count + (document.base?.bytes.count ?? 0)
        }

        /// A borrowed value; all nested values lie before its limit.
        init(_ value: UnsafeFleeceValue) {
            keys = value.document._withUnsafeGuaranteedRef { $0.sharedKeys }
            size = value.raw.limit - Int(value.raw.lowest)
        }

        fileprivate func value(at offset: Int32, limit: Int32) -> RawValue {
            RawValue(
                base: origin.base, offset: Int(offset), limit: Int(limit), lowest: origin.lowest)
        }
    }

    /// A property.
    private struct Child {
        let key: UnsafeRawBufferPointer
        let value: RawValue
    }

    /// Two open collections, by their offsets and limits: the nesting may be as
    /// deep as a document is long.
    private struct Frame: BitwiseCopyable {
        let leftOffset: Int32
        let leftLimit: Int32
        let rightOffset: Int32
        let rightLimit: Int32
        var next: Int32 = 0
        /// Whether the last of `properties` are theirs; otherwise they are arrays.
        let isDictionary: Bool
    }

    private struct Pair: Hashable {
        let left: UnsafeRawPointer
        let right: UnsafeRawPointer
    }

    /// Shorter strings cost less than a note for them.
    private static let shortText = 64

    private var left: Operand
    private var right: Operand
    private var frames: [Frame] = []
    private var properties: [(left: [Child], right: [Child])] = []
    /// The number of items that may be compared before notes are taken.
    private var budget: Int
    private var takesNotes = false
    private var seen: Set<Pair> = []
    private var seenTexts: Set<Pair> = []

    init(_ left: Operand, _ right: Operand) {
        self.left = left
        self.right = right
        budget = min(left.size, right.size)
    }

    /// Returns a negative number, zero or a positive number if `left` sorts before, equals or sorts
    /// after `right`.
    mutating func compare(_ leftRoot: RawValue, _ rightRoot: RawValue) -> Int {
        (left.origin, right.origin) = (leftRoot, rightRoot)
        if let order = compareAll(leftRoot, rightRoot) { return order }
        frames.removeAll()
        properties.removeAll()
        takesNotes = true
        return compareAll(leftRoot, rightRoot) ?? 0
    }

    /// Returns nil if notes are needed.
    private mutating func compareAll(_ leftRoot: RawValue, _ rightRoot: RawValue) -> Int? {
        var order = begin(leftRoot, rightRoot)
        while order == 0, let frame = frames.last {
            budget -= 1
            if budget < 0, !takesNotes { return nil }
            frames[frames.count - 1].next += 1
            order = frame.isDictionary ? compareProperty(frame) : compareElement(frame)
        }
        return order
    }

    private mutating func compareElement(_ frame: Frame) -> Int {
        // An unreadable array has no elements.
        let leftArray = left.value(at: frame.leftOffset, limit: frame.leftLimit).array
        let rightArray = right.value(at: frame.rightOffset, limit: frame.rightLimit).array
        let index = Int(frame.next)
        guard let leftArray, let rightArray, index < leftArray.count, index < rightArray.count
        else {
            frames.removeLast()
            return (leftArray?.count ?? 0) - (rightArray?.count ?? 0)
        }
        return begin(leftArray.slot(index) ?? .undefined, rightArray.slot(index) ?? .undefined)
    }

    private mutating func compareProperty(_ frame: Frame) -> Int {
        let last = properties.count - 1
        let index = Int(frame.next)
        let counts = (properties[last].left.count, properties[last].right.count)
        guard index < counts.0, index < counts.1 else {
            frames.removeLast()
            properties.removeLast()
            return counts.0 - counts.1
        }
        let (left, right) = (properties[last].left[index], properties[last].right[index])
        let keys = compareOnce(left.key, right.key)
        return keys != 0 ? keys : begin(left.value, right.value)
    }

    /// The order of scalars; for collections 0, after adding a frame with their items.
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
        open(left, right)
        return 0
    }

    /// Opens two collections of the same kind, unless they are known to be equal.
    private mutating func open(_ left: RawValue, _ right: RawValue) {
        let isDictionary = left.tag == FleeceTag.dictionary
        guard isDictionary || left.tag == FleeceTag.array else { return }
        let pair = Pair(left: left.base + left.offset, right: right.base + right.offset)
        if takesNotes, !seen.insert(pair).inserted { return }
        frames.append(
            Frame(
                leftOffset: Int32(truncatingIfNeeded: left.offset),
                leftLimit: Int32(truncatingIfNeeded: left.limit),
                rightOffset: Int32(truncatingIfNeeded: right.offset),
                rightLimit: Int32(truncatingIfNeeded: right.limit), isDictionary: isDictionary))
        if isDictionary {
            budget -= Self.inheritedCount(left) + Self.inheritedCount(right)
            properties.append(
                (
                    Self.properties(of: left, self.left.keys),
                    Self.properties(of: right, self.right.keys)
                ))
        }
    }

    /// The number of pairs that are handled to merge what a dictionary inherits.
    private static func inheritedCount(_ value: RawValue) -> Int {
        var count = 0
        var ancestor = value.dictionary?.parent
        for generation in 1...FleeceLimits.parents {
            guard let next = ancestor else { break }
            count += next.count * generation
            ancestor = next.parent
        }
        return count
    }

    /// Compares long strings once: the comparison continues only if they were equal.
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

    private static func properties(of value: RawValue, _ keys: SharedKeys) -> [Child] {
        guard let dictionary = value.dictionary else { return [] }
        // A property that is undefined does not count.
        let children = RawPairs(dictionary).compactMap { pair -> Child? in
            guard let value = pair.value, rank(value) > 0 else { return nil }
            return keys.text(of: pair.key).map { Child(key: $0, value: value) }
        }
        let isSorted = zip(children, children.dropFirst()).allSatisfy { order($0.key, $1.key) <= 0 }
        return isSorted ? children : children.sorted { order($0.key, $1.key) < 0 }
    }

    /// A long key that many pairs refer to is not compared with itself.
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
