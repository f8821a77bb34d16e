/// How much work a delta may be: a small document that uses its parts again and again can stand
/// for a very large one, and dictionaries can inherit much of which nothing is left.
struct DeltaBudget {
    /// How many more items may be looked at.
    private var items: Int

    /// Takes the values whose items are looked at.
    init(for values: FleeceValue?...) {
        let documents = values.compactMap { $0?.document }
        let bytes = documents.reduce(0) { $0 + $1.bytes.count + ($1.base?.bytes.count ?? 0) }
        // An item takes at least 2 bytes, and is seldom used more than once.
        items = 1 << 16 + 32 * bytes
    }

    /// Pays for items that are looked at. Throws `.outOfRange` if they are too many.
    mutating func pay(_ count: Int) throws {
        items -= count
        guard items > 0 else {
            throw FleeceError(.outOfRange, "values that are too large for a delta")
        }
    }

    /// Pays for the pairs of a dictionary, also for those that it inherits.
    mutating func pay(for dictionary: FleeceDictionary) throws {
        var ancestor: RawCollection? = dictionary.raw
        var generations = 0
        while let next = ancestor, generations <= FleeceLimits.parents {
            // A pair is copied once on its way from each parent to its heir.
            generations += 1
            try pay(next.count * generations)
            ancestor = next.parent
        }
    }
}
