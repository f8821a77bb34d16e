/// Creates a delta: a loop over the collections that are being compared.
struct DeltaComparison {
    /// Two collections, compared up to `next`.
    private struct Level {
        let old: FleeceValue
        let new: FleeceValue
        let items: Items
        /// The length of the output before this delta, to which it is cut
        /// back if there is no change.
        let start: Int
        var next = 0
        /// Whether no difference has been written yet.
        var isFirst = true
    }

    private enum Items {
        /// The keys of both: first those of the new one, then those that only the old one has.
        case dictionary([String])
        case array(old: FleeceArray, new: FleeceArray)
    }

    /// Two values, identified by their positions.
    private struct Pair: Hashable {
        let old: UnsafeRawPointer
        let new: UnsafeRawPointer

        init(_ old: FleeceValue, _ new: FleeceValue) {
            self.old = old.raw.base + old.raw.offset
            self.new = new.raw.base + new.raw.offset
        }
    }

    private var writer: JSONWriter
    private var levels: [Level] = []
    /// Collections that were found equal: small documents can refer to the same one repeatedly.
    private var same: Set<Pair> = []
    private var budget: DeltaBudget

    init(_ old: FleeceValue?, _ new: FleeceValue?) {
        var options = JSONWriter.Options()
        options.nullForUnrepresentable = false
        writer = JSONWriter(options: options)
        budget = DeltaBudget(for: old, new)
    }

    mutating func compare(_ old: FleeceValue?, _ new: FleeceValue?) throws -> JSONText {
        try compare(old, new, key: nil)
        while let level = levels.last { try step(level) }
        if writer.text.utf8.isEmpty { writer.text.append("{}") }
        return writer.text
    }
}

extension DeltaComparison {
    /// Compares the next items of the innermost collections, or closes the collections.
    private mutating func step(_ level: Level) throws {
        levels[levels.count - 1].next += 1
        try budget.pay(1)
        guard writer.text.utf8.count <= writer.options.maximumBytes else {
            throw FleeceError(.outOfRange, "over \(writer.options.maximumBytes) bytes of a delta")
        }
        switch level.items {
        case .dictionary(let keys):
            guard level.next < keys.count else { return close(level) }
            let key = keys[level.next]
            let old = level.old.dictionary?.property(key)
            try compare(old, level.new.dictionary?.property(key), key: key)
        case .array(let old, let new):
            let common = min(old.count, new.count)
            if level.next < common {
                try compare(old[level.next], new[level.next], key: "\(level.next)")
            } else {
                if old.count != new.count { try writeTail(of: new, from: common) }
                close(level)
            }
        }
    }

    /// Writes the difference of two values, or starts the comparison of their items.
    private mutating func compare(
        _ old: FleeceValue?, _ new: FleeceValue?, key: String?
    ) throws {
        guard let new else {
            if old != nil {
                begin(key)
                writer.text.append("[]")
            }
            return
        }
        guard let old else { return try write(new, key: key) }
        guard !old.isSame(as: new) else { return }
        guard old.kind == new.kind else { return try write(new, key: key) }
        if let items = try items(old, new) { return try open(items, old, new, key: key) }
        guard old != new else { return }
        if let patch = TextPatch(from: old, to: new) {
            begin(key)
            writer.text.append("[")
            patch.json(into: &writer.text)
            writer.text.append(",0,2]")
        } else {
            try write(new, key: key)
        }
    }

    /// The items of two collections of the same kind; nil if the values are not, or
    /// if one is an empty array.
    private mutating func items(_ old: FleeceValue, _ new: FleeceValue) throws -> Items? {
        if let old = old.array, let new = new.array, !old.isEmpty, !new.isEmpty {
            return .array(old: old, new: new)
        }
        guard let old = old.dictionary, let new = new.dictionary else { return nil }
        try budget.pay(for: old)
        try budget.pay(for: new)
        let newKeys = new.keysOfProperties
        return .dictionary(newKeys + old.keysOfProperties.filter { new.property($0) == nil })
    }

    private mutating func open(
        _ items: Items, _ old: FleeceValue, _ new: FleeceValue, key: String?
    ) throws {
        guard !same.contains(Pair(old, new)) else { return }
        guard levels.count < FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep()
        }
        let start = writer.text.utf8.count
        let wasFirst = levels.last?.isFirst
        begin(key)
        if let wasFirst { levels[levels.count - 1].isFirst = wasFirst }
        writer.text.append("{")
        levels.append(Level(old: old, new: new, items: items, start: start))
    }

    private mutating func close(_ level: Level) {
        guard let innermost = levels.popLast() else { return }
        if innermost.isFirst {
            writer.text.utf8.removeSubrange(level.start...)
            same.insert(Pair(level.old, level.new))
        } else {
            writer.text.append("}")
            if !levels.isEmpty { levels[levels.count - 1].isFirst = false }
        }
    }

    /// Writes a new value; collections and the root value are wrapped in brackets.
    private mutating func write(_ value: FleeceValue, key: String?) throws {
        begin(key)
        let isCollection = value.kind == .array || value.kind == .dictionary
        if isCollection || levels.isEmpty { writer.text.append("[") }
        try writer.write(value)
        if isCollection || levels.isEmpty { writer.text.append("]") }
    }

    /// Writes what replaces the elements after those that both arrays have.
    private mutating func writeTail(of array: FleeceArray, from start: Int) throws {
        begin("\(start)-")
        writer.text.append("[")
        for index in start..<array.count {
            if index > start { writer.text.append(",") }
            try writer.write(array[index])
        }
        writer.text.append("]")
    }

    /// Writes a key of the innermost level, and records that there is a difference.
    private mutating func begin(_ key: String?) {
        guard let key, let level = levels.last else { return }
        if !level.isFirst { writer.text.append(",") }
        levels[levels.count - 1].isFirst = false
        writer.text.append(quoted: key)
        writer.text.append(":")
    }
}

/// Limits the work for a delta: a small document that refers to its parts repeatedly can stand for
/// a very large one, and dictionaries can inherit many pairs that are all removed.
struct DeltaBudget {
    /// How many more items may be examined.
    private var items: Int

    /// Creates a budget for values whose items are to be examined.
    init(for values: FleeceValue?...) {
        let documents = values.compactMap { $0?.document }
        let bytes = documents.reduce(0) { $0 + $1.bytes.count + ($1.base?.bytes.count ?? 0) }
        // An item takes at least 2 bytes, and is seldom used more than once.
        items = 1 << 16 + 32 * bytes
    }

    /// Charges items that are examined. Throws `.outOfRange` if the budget is used up.
    mutating func pay(_ count: Int) throws {
        items -= count
        guard items > 0 else {
            throw FleeceError(.outOfRange, "the values are too large for a delta")
        }
    }

    /// Charges the pairs of a dictionary, including those that it inherits.
    mutating func pay(for dictionary: FleeceDictionary) throws {
        var ancestor: RawCollection? = dictionary.raw
        var generations = 0
        while let next = ancestor, generations <= FleeceLimits.parents {
            // A pair is copied once for each generation, from a parent to the
            // dictionary that inherits it.
            generations += 1
            try pay(next.count * generations)
            ancestor = next.parent
        }
    }
}
