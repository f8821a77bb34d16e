extension FleeceDictionary {
    /// The value of a key, nil also where it is `undefined` or corrupt.
    func property(_ key: String) -> FleeceValue? {
        self[key].flatMap { $0.kind == .undefined ? nil : $0 }
    }

    /// The keys that have a value, each once, in the order they are stored in.
    var keysOfProperties: [String] {
        var keys: [String] = []
        for (key, value) in self where value.kind != .undefined {
            // Other encoders write a key twice if JSON has it twice.
            if keys.last.map({ PropertyKey($0) == PropertyKey(key) }) != true { keys.append(key) }
        }
        return keys
    }
}

extension FleeceDictionary {
    /// The dictionary as a value.
    var value: FleeceValue { FleeceValue(document: document, raw: raw.value) }

    /// Whether another may inherit from it: encoders make no longer chains than three.
    var canHaveHeirs: Bool { raw.parent?.parent == nil }
}

extension FleeceArray {
    /// The array as a value.
    var value: FleeceValue { FleeceValue(document: document, raw: raw.value) }
}

extension MutableFleeceValue {
    /// The value of a document that it is, or is made from and still the same as.
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
    /// Whether it is the other one itself, at the same place in the same document.
    func isSame(as other: FleeceValue?) -> Bool {
        other.map { raw.base == $0.raw.base && raw.offset == $0.raw.offset } ?? false
    }
}
