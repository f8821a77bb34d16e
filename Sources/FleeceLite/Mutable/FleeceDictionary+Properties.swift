extension FleeceDictionary {
    /// The value of a key; nil also if it is `undefined` or corrupt.
    func property(_ key: String) -> FleeceValue? {
        self[key].flatMap { $0.kind == .undefined ? nil : $0 }
    }

    /// The number of keys that have a value.
    var propertyCount: Int {
        guard hasOrderlyKeys else { return keysOfProperties.count }
        defer { extendLifetime(document) }
        var count = 0
        for index in 0..<raw.count where raw.property(at: index) != nil { count += 1 }
        return count
    }

    /// Whether the dictionary inherits nothing, and its keys are readable, unique and in the
    /// format's order: numbers, then strings that have no number.
    var hasOrderlyKeys: Bool {
        defer { extendLifetime(document) }
        return document.keys._withUnsafeGuaranteedRef { raw.hasOrderlyKeys($0) }
    }

    /// The keys that have a value, each once, in stored order.
    var keysOfProperties: [String] {
        var keys: [String] = []
        for (key, value) in self where value.kind != .undefined {
            // Other encoders write a key twice if the JSON does.
            if keys.last.map({ $0.hasSameBytes(as: key) }) != true { keys.append(key) }
        }
        return keys
    }
}

extension RawCollection {
    /// The value of a pair; nil also if it is `undefined` or corrupt.
    @inline(__always)
    func property(at index: Int) -> RawValue? {
        value(at: index).flatMap { $0.kind == .undefined ? nil : $0 }
    }

    fileprivate func hasOrderlyKeys(_ table: SharedKeyTable) -> Bool {
        var index = 0
        var number = -1
        while index < count {
            let next = Int(keyBits(index))
            guard next < 0x1000 else { break }
            guard next > number, next < table.count else { return false }
            number = next
            index += 1
        }
        var last: UnsafeRawBufferPointer?
        while index < count {
            guard case .string(let text) = key(index), !table.contains(text) else { return false }
            if let last, compare(last, text) >= 0 { return false }
            last = text
            index += 1
        }
        return true
    }
}

extension SharedKeyTable {
    fileprivate func contains(_ text: UnsafeRawBufferPointer) -> Bool {
        count > 0 && text.count <= FleeceLimits.sharedKeyLength
            && index(of: KeyWords(text)) != nil
    }
}

extension FleeceDictionary {
    /// The dictionary as a value, for functions that take values of all kinds.
    ///
    /// ```swift
    /// let json = try fleeceDictionary.value.json()
    /// ```
    public var value: FleeceValue { FleeceValue(document: document, raw: raw.value) }

    /// Whether another dictionary may inherit from it: encoders create chains of at most three.
    var canBeParent: Bool { raw.parent?.parent == nil }
}

extension FleeceArray {
    /// The array as a value, for functions that take values of all kinds.
    ///
    /// ```swift
    /// let json = try fleeceArray.value.json(.init(pretty: true))
    /// ```
    public var value: FleeceValue { FleeceValue(document: document, raw: raw.value) }
}

extension MutableFleeceValue {
    /// The document value that it is, or that it is based on without changes.
    var unchanged: FleeceValue? {
        switch self {
        case .value(let value): value
        case .array(let array): array.isChanged ? nil : array.source?.value
        case .dictionary(let dictionary): dictionary.isChanged ? nil : dictionary.source?.value
        default: nil
        }
    }
}

extension FleeceValue {
    /// Whether both are the same value at the same position in the same document.
    func isSame(as other: FleeceValue?) -> Bool {
        other.map { raw.base == $0.raw.base && raw.offset == $0.raw.offset } ?? false
    }
}
