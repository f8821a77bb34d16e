/// The keys of a `PropertyMerge` as they are written: their numbers where the encoder has the same.
struct MergedKeys: BitwiseCopyable {
    /// The keys of the source's table that have the same numbers in the encoder: all, or none.
    private let keptNumbers: Int
    /// The number of the last key that has one.
    private var lastNumber = -1
    private var hasText = false
    /// Whether the pairs so far are in the format's order, and no shape was followed.
    private(set) var isOrdered: Bool

    /// Opens the dictionary.
    init(_ source: FleeceDictionary, _ encoder: inout FleeceEncoder) {
        let hasNumbers = source.raw.count > 0 && source.raw.keyBits(0) < 0x1000
        keptNumbers = hasNumbers ? encoder.keptNumbers(of: source.document.keys) : 0
        isOrdered = keptNumbers > 0
        if isOrdered { encoder.openUnfollowed() } else { encoder.beginDictionary() }
    }

    /// Writes the key of a pair of the source.
    @inline(__always)
    mutating func write(
        _ key: RawCollection.Key?, of source: FleeceDictionary, _ encoder: inout FleeceEncoder
    ) throws {
        if case .number(let number) = key, number < keptNumbers {
            return writeKept(number, &encoder)
        }
        let text = try source.document.keys._withUnsafeGuaranteedRef {
            try $0.requireText(of: key, offset: source.raw.offset)
        }
        try encoder.writeKey(text)
        note(encoder.lastItem)
    }

    /// Writes the key of a change.
    mutating func write(
        _ change: PropertyMerge.Change, _ encoder: inout FleeceEncoder
    ) throws {
        if change.number < keptNumbers { return writeKept(change.number, &encoder) }
        try encoder.writeKey(change.key)
        note(encoder.lastItem)
    }

    @inline(__always)
    private mutating func writeKept(_ number: Int, _ encoder: inout FleeceEncoder) {
        lastNumber = number
        encoder.writeKeptKey(number)
    }

    /// A key that was written as text may have got a number, and then its place is another one.
    private mutating func note(_ item: SlotItem) {
        guard let number = item.number else {
            hasText = true
            return
        }
        if hasText || number <= lastNumber { isOrdered = false }
        lastNumber = number
    }
}
