/// A collection that is being traversed; the items before `next` are done.
struct WalkLevel {
    /// The items of the collection.
    enum Items {
        case array(RawCollection)
        case dictionary(RawCollection)
        /// The pairs of a dictionary, including inherited ones.
        case merged([RawPairs.Pair])
    }

    let items: Items
    let count: Int
    /// The offset of the collection, for errors.
    let offset: Int
    var next = 0

    init(array: RawCollection, offset: Int) {
        (items, count, self.offset) = (.array(array), array.count, offset)
    }

    /// Creates the level of a dictionary. Inherited pairs are merged and counted
    /// immediately: a small document can refer to the same parents repeatedly, and none of
    /// their pairs may be written.
    ///
    /// Throws `.outOfRange` if `mergedPairs`, the count for the whole traversal, exceeds its limit.
    init(dictionary: RawCollection, offset: Int, mergedPairs: inout Int) throws {
        self.offset = offset
        guard dictionary.parent != nil else {
            (items, count) = (.dictionary(dictionary), dictionary.count)
            return
        }
        var ancestor: RawCollection? = dictionary
        var generations = 0
        while let next = ancestor {
            // A pair is copied once for each generation, from a parent to the
            // dictionary that inherits it.
            generations += 1
            mergedPairs += next.count * generations
            ancestor = next.parent
            guard generations <= FleeceLimits.parents + 1,
                mergedPairs <= FleeceLimits.mergedPairs
            else {
                throw FleeceError(
                    .outOfRange, "dictionaries inherit too many pairs", offset: offset)
            }
        }
        let pairs = Array(RawPairs(dictionary))
        (items, count) = (.merged(pairs), pairs.count)
    }

    /// An object whose properties come from another source.
    init(offset: Int) {
        (items, count, self.offset) = (.merged([]), 0, offset)
    }

    /// An item: its value, and its key unless it is an element.
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
