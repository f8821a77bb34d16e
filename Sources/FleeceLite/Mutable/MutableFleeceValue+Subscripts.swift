extension MutableFleeceValue {
    /// A dictionary's value for a key, nil if there is none; setting nil removes it.
    ///
    /// A value of another kind becomes a dictionary with this one key when something is set.
    public subscript(key: String) -> MutableFleeceValue? {
        get {
            switch self {
            case .dictionary(let dictionary): dictionary[key]
            case .value(let value): value[key].map { .value($0) }
            default: nil
            }
        }
        _modify {
            var value = takeSelf()
            defer { self = value ?? .null }
            yield &value[key]
        }
    }

    /// An array's element, nil if there is none; a negative index counts from the end.
    ///
    /// Setting nil removes the element. Nothing is set outside the array, or if it is none.
    public subscript(index: Int) -> MutableFleeceValue? {
        get {
            switch self {
            case .array(let array): array[at: index]
            case .value(let value): value.array?[at: index].map { .value($0) }
            default: nil
            }
        }
        _modify {
            var value = takeSelf()
            defer { self = value ?? .null }
            yield &value[index]
        }
    }

    /// Moves the value out, so that a change has not two owners and copies nothing.
    mutating func takeSelf() -> MutableFleeceValue? {
        let value = self
        self = .null
        return value
    }
}

/// What makes `document["a"]["b"] = 1` work where there is no `a` yet.
extension Optional<MutableFleeceValue> {
    /// A dictionary's value for a key, nil if there is none; setting nil removes it.
    ///
    /// What is not a dictionary becomes one with this one key when something is set.
    public subscript(key: String) -> MutableFleeceValue? {
        get { self?[key] }
        _modify {
            let isDictionary = self?.dictionary != nil
            var dictionary = self?.dictionary ?? MutableFleeceDictionary()
            // There must be one owner only, or the change would copy it.
            if isDictionary { self = .null }
            defer { if isDictionary || !dictionary.isEmpty { self = .dictionary(dictionary) } }
            yield &dictionary[key]
        }
    }

    /// An array's element, nil if there is none; a negative index counts from the end.
    ///
    /// Setting nil removes the element. Nothing is set outside the array, or if it is none.
    public subscript(index: Int) -> MutableFleeceValue? {
        get { self?[index] }
        _modify {
            let isArray = self?.array != nil
            var array = self?.array ?? []
            if isArray { self = .null }
            var element = array.take(at: index)
            defer {
                if isArray {
                    array.put(element, at: index)
                    self = .array(array)
                }
            }
            yield &element
        }
    }
}
