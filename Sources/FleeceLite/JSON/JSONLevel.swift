/// A collection of which the items before `next` have been written.
struct JSONLevel {
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
    /// Whether no item, nor anything else, has been written before the next one.
    var isFirst = true

    init(array: RawCollection, offset: Int) {
        (items, count, self.offset) = (.array(array), array.count, offset)
    }

    init(dictionary: RawCollection, offset: Int) {
        (items, count, self.offset) = (.dictionary(dictionary), dictionary.count, offset)
    }

    init(dictionary pairs: [RawPairs.Pair], offset: Int) {
        (items, count, self.offset) = (.merged(pairs), pairs.count, offset)
    }

    var isArray: Bool { if case .array = items { true } else { false } }
}
