/// A collection that is being walked, of which the items before `next` are done.
struct WalkLevel {
    /// What the items are.
    enum Items {
        case array(RawCollection)
        case dictionary(RawCollection)
        /// The pairs of a dictionary with those that it inherits.
        case merged([RawPairs.Pair])
    }

    let items: Items
    let count: Int
    /// Where the collection is, for errors.
    let offset: Int
    var next = 0

    init(array: RawCollection, offset: Int) {
        (items, count, self.offset) = (.array(array), array.count, offset)
    }

    /// A dictionary; what it inherits is merged at once, and paid for: a small document can use
    /// the same parents again and again, and none of it may be written.
    ///
    /// Throws `.outOfRange` if `mergedPairs`, the count of the whole walk, becomes too much.
    init(dictionary: RawCollection, offset: Int, mergedPairs: inout Int) throws {
        self.offset = offset
        guard dictionary.parent != nil else {
            (items, count) = (.dictionary(dictionary), dictionary.count)
            return
        }
        var ancestor: RawCollection? = dictionary
        var generations = 0
        while let next = ancestor {
            // A pair is copied once on its way from each parent to its heir.
            generations += 1
            mergedPairs += next.count * generations
            ancestor = next.parent
            guard generations <= FleeceLimits.parents + 1,
                mergedPairs <= FleeceLimits.mergedPairs
            else {
                throw FleeceError(
                    .outOfRange, "dictionaries that inherit too much", offset: offset)
            }
        }
        let pairs = Array(RawPairs(dictionary))
        (items, count) = (.merged(pairs), pairs.count)
    }

    /// An object whose properties come from elsewhere.
    init(offset: Int) {
        (items, count, self.offset) = (.merged([]), 0, offset)
    }

    /// An item: its key, which elements do not have, and its value.
    @inline(__always)
    func item(_ index: Int) -> (key: RawCollection.Key?, value: RawValue?) {
        switch items {
        case .array(let array): (nil, array.slot(index))
        case .dictionary(let dictionary): (dictionary.key(index), dictionary.value(at: index))
        case .merged(let pairs): (pairs[index].key, pairs[index].value)
        }
    }

    var isArray: Bool { if case .array = items { true } else { false } }
}
