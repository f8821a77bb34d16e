/// A collection of a document that is being copied, of which the items before `next` are done.
struct CopyLevel: BitwiseCopyable {
    let items: RawCollection
    /// With those that it inherits.
    let count: Int32
    var next: Int32 = 0
    /// The number of the last key, below which no other may come; `noNumber` for a dictionary
    /// whose keys are written by their texts, or are so from here on.
    var lastNumber = noNumber
    /// Whether the keys so far were written in the format's order, and no shape was followed.
    var isOrdered = false
    /// Whether it has inherited pairs.
    let isMerged: Bool

    static let noNumber = Int32.max

    @inline(__always)
    init(_ items: RawCollection, count: Int, isMerged: Bool = false) {
        self.items = items
        self.count = Int32(truncatingIfNeeded: count)
        self.isMerged = isMerged
    }
}

extension FleeceEncoder {
    /// How many keys of a document's table have the same numbers here: all or none.
    mutating func keptNumbers(of keys: Unmanaged<SharedKeyTable>) -> Int {
        guard let own = numberedKeys?.table else { return 0 }
        return keys._withUnsafeGuaranteedRef { table in
            if own === table || prefixTable === table { return table.count }
            guard table.count > 0, own.begins(with: table) else { return 0 }
            // Not kept beyond this document: its owner could not change it without a copy.
            prefixTable = table
            return table.count
        }
    }

    /// Writes a key that has a number here, where one is due.
    @inline(__always)
    mutating func writeKeptKey(_ number: Int) {
        items.append(.shortInteger(number))
        frames.base[frames.count &- 1].keys &+= 1
    }

    /// What was written last; there must be something.
    @inline(__always)
    var lastItem: SlotItem { items.base[items.count &- 1] }
}
