/// The properties of a changed dictionary in the order of iteration, without building a list: the
/// unchanged properties of the source, merged with the changes.
///
/// Only for a source whose keys are in the format's order.
struct PropertyMerge {
    /// A property that has been set, or removed if there is no value.
    struct Change {
        let key: String
        /// The key's number in the source's table; `noNumber` if it has none.
        let number: Int
        let value: MutableFleeceValue?
    }

    /// A property of the source by its pair, or a new one by its index in the changes.
    enum Item {
        case unchanged(Int, RawValue)
        case changed(Int)
    }

    static let noNumber = Int.max

    let source: FleeceDictionary
    /// The changes in the order of iteration.
    let changes: [Change]
    /// The next pair of the source; `change` is the next change.
    private var pair = 0
    private var change = 0
    /// The number of the next change; `noNumber` also after the last one.
    private var nextNumber = noNumber

    /// Nil if there is no source, or its keys are not in order.
    init?(_ dictionary: MutableFleeceDictionary) {
        guard let source = dictionary.source, source.hasOrderlyKeys else { return nil }
        self.source = source
        let keys = source.document.sharedKeys
        var changes: [Change] = []
        changes.reserveCapacity(dictionary.changes.count)
        for property in dictionary.changes.properties {
            let number = keys.index(of: property.key) ?? Self.noNumber
            changes.append(Change(key: property.key, number: number, value: property.value))
        }
        if changes.count > 1 { changes.sort(by: Self.precedes) }
        self.changes = changes
        nextNumber = changes.first?.number ?? Self.noNumber
    }

    private static func precedes(_ left: Change, _ right: Change) -> Bool {
        left.number == right.number
            ? PropertyKey.precedes(left.key, right.key) : left.number < right.number
    }

    /// The next property; nil after the last one.
    @inline(__always)
    mutating func next() -> Item? {
        let pairs = source.raw
        while pair < pairs.count {
            if change < changes.count, !isNextPairFirst(pairs) {
                if let item = nextChange() { return item }
                continue
            }
            let position = pair
            pair &+= 1
            if let value = pairs.property(at: position) { return .unchanged(position, value) }
        }
        while change < changes.count {
            if let item = nextChange() { return item }
        }
        return nil
    }

    /// Whether the next pair comes before the next change; skips a pair that has been changed.
    @inline(__always)
    private mutating func isNextPairFirst(_ pairs: RawCollection) -> Bool {
        let number = Int(pairs.keyBits(pair))
        if number < 0x1000 {
            if number == nextNumber { pair &+= 1 }
            return number < nextNumber
        }
        return nextNumber == Self.noNumber && isNextTextFirst(pairs)
    }

    @inline(never)
    private mutating func isNextTextFirst(_ pairs: RawCollection) -> Bool {
        guard case .string(let text) = pairs.key(pair) else { return true }
        var key = changes[change].key
        let order = key.withUTF8 { compare(text, UnsafeRawBufferPointer($0)) }
        if order == 0 { pair += 1 }
        return order < 0
    }

    @inline(never)
    private mutating func nextChange() -> Item? {
        let position = change
        change += 1
        nextNumber = change < changes.count ? changes[change].number : Self.noNumber
        return changes[position].value == nil ? nil : .changed(position)
    }

    /// The next property with the text of its key.
    mutating func nextProperty() -> MutableFleeceDictionary.Element? {
        switch next() {
        case .changed(let position):
            let change = changes[position]
            return change.value.map { (change.key, $0) }
        case .unchanged(let position, let value):
            let document = source.document
            let text = document.sharedKeys.text(of: source.raw.key(position))
            return (
                text.map { String(decoding: $0, as: UTF8.self) } ?? "",
                .value(FleeceValue(document: document, raw: value))
            )
        case nil: return nil
        }
    }
}

/// Writes the keys of a `PropertyMerge`: as numbers where the encoder has the same ones.
struct MergedKeys: BitwiseCopyable {
    /// The number of keys of the source's table that have the same numbers in
    /// the encoder: all or none.
    private let reusableKeys: Int
    /// The number of the last key that has one.
    private var lastNumber = -1
    private var hasText = false
    /// Whether the pairs so far are in the format's order, without tracking a shape.
    private(set) var isOrdered: Bool

    /// Opens the dictionary.
    init(_ source: FleeceDictionary, _ encoder: inout FleeceEncoder) {
        let hasNumbers = source.raw.count > 0 && source.raw.keyBits(0) < 0x1000
        reusableKeys = hasNumbers ? encoder.reusableKeys(of: source.document.keys) : 0
        isOrdered = reusableKeys > 0
        if isOrdered { encoder.openUnfollowed() } else { encoder.beginDictionary() }
    }

    /// Writes the key of a pair of the source.
    @inline(__always)
    mutating func write(
        _ key: RawCollection.Key?, of source: FleeceDictionary, _ encoder: inout FleeceEncoder
    ) throws {
        if case .number(let number) = key, number < reusableKeys {
            return writeReused(number, &encoder)
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
        if change.number < reusableKeys { return writeReused(change.number, &encoder) }
        try encoder.writeKey(change.key)
        note(encoder.lastItem)
    }

    @inline(__always)
    private mutating func writeReused(_ number: Int, _ encoder: inout FleeceEncoder) {
        lastNumber = number
        encoder.writeReusedKey(number)
    }

    /// A key that was written as a string may have got a number, and then sorts differently.
    private mutating func note(_ item: SlotItem) {
        guard let number = item.number else {
            hasText = true
            return
        }
        if hasText || number <= lastNumber { isOrdered = false }
        lastNumber = number
    }
}
