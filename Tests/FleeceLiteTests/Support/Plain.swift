import FleeceLite

/// A value in Swift's own collections, as a model for the mutable ones.
enum Plain: Equatable {
    case scalar(MutableFleeceValue)
    case array([Plain])
    case dictionary([String: Plain])
}

extension Plain {
    /// Reads a mutable value through the public API alone; nil if its count is not that of the
    /// pairs that it yields.
    init?(_ value: MutableFleeceValue) {
        if let array = value.array {
            let elements = array.compactMap { Plain($0) }
            guard elements.count == array.count else { return nil }
            self = .array(elements)
        } else if let dictionary = value.dictionary {
            var pairs: [String: Plain] = [:]
            for (key, value) in dictionary { pairs[key] = Plain(value) }
            guard pairs.count == dictionary.count, dictionary.keys.count == pairs.count else {
                return nil
            }
            self = .dictionary(pairs)
        } else {
            self = .scalar(value)
        }
    }

    /// The value created again, without any source.
    var mutable: MutableFleeceValue {
        switch self {
        case .scalar(let value): value
        case .array(let elements): .array(MutableFleeceArray(elements.map(\.mutable)))
        case .dictionary(let pairs):
            .dictionary(MutableFleeceDictionary(pairs.map { ($0.key, $0.value.mutable) }))
        }
    }
}
