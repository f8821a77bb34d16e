/// The pairs of a dictionary on the raw view, including inherited ones.
struct RawPairs: Sequence {
    struct Pair {
        let key: RawCollection.Key?
        let value: RawValue?
    }

    private let pairs: [Pair]?
    private let own: RawCollection

    init(_ own: RawCollection) {
        self.init(own, parents: FleeceLimits.parents)
    }

    private init(_ own: RawCollection, parents: Int) {
        self.own = own
        pairs = own.parent.map { parent in
            let inherited = parents == 0 ? [] : Array(RawPairs(parent, parents: parents - 1))
            return Self.merged(own, inherited[...])
        }
    }

    @inline(__always)
    func makeIterator() -> Iterator { Iterator(pairs: pairs, own: own) }

    struct Iterator: IteratorProtocol {
        fileprivate let pairs: [Pair]?
        fileprivate let own: RawCollection
        private var index = 0

        @inline(__always)
        fileprivate init(pairs: [Pair]?, own: RawCollection) {
            self.pairs = pairs
            self.own = own
        }

        @inline(__always)
        mutating func next() -> Pair? {
            let position = index
            if let pairs {
                guard position < pairs.count else { return nil }
                index = position &+ 1
                return pairs[position]
            }
            guard position < own.count else { return nil }
            index = position &+ 1
            return RawPairs.pair(own, position)
        }
    }

    @inline(__always)
    private static func pair(_ dictionary: RawCollection, _ index: Int) -> Pair {
        Pair(key: dictionary.key(index), value: dictionary.slot(2 * index + 1))
    }

    /// Both are sorted: the smaller key goes first, and an own pair overrides an inherited one.
    private static func merged(_ own: RawCollection, _ inherited: ArraySlice<Pair>) -> [Pair] {
        var inherited = inherited
        var result: [Pair] = []
        for index in 1..<own.count {
            let pair = pair(own, index)
            while let next = inherited.first, order(next.key, pair.key) < 0 {
                result.append(inherited.removeFirst())
            }
            if let next = inherited.first, order(next.key, pair.key) == 0 {
                inherited.removeFirst()
            }
            let isDeleted =
                pair.value.map { $0.has(2) && $0.byte(0) == FleeceSpecial.undefined } ?? false
            if !isDeleted { result.append(pair) }
        }
        return result + inherited
    }

    /// A key that cannot be read keeps its position.
    private static func order(_ left: RawCollection.Key?, _ right: RawCollection.Key?) -> Int {
        guard let left, let right else { return -1 }
        return compare(left, right)
    }
}
