extension MutableFleeceValue {
    /// The value of a key in a dictionary; nil if there is none. Setting nil removes it.
    ///
    /// Setting a value turns a value of another kind into a dictionary with this one key.
    ///
    /// - Parameter key: any string.
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

    /// An element of an array; nil if there is none. A negative index counts from the end.
    ///
    /// Setting nil removes the element. Setting has no effect outside the array, or if the value is
    /// not an array.
    ///
    /// - Parameter index: the position of the element, -1 for the last one.
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

    /// Moves the value out, so that a change has a single owner and copies nothing.
    mutating func takeSelf() -> MutableFleeceValue? {
        let value = self
        self = .null
        return value
    }
}

/// Makes `document["a"]["b"] = 1` work if there is no `a` yet.
extension Optional<MutableFleeceValue> {
    /// The value of a key in a dictionary; nil if there is none. Setting nil removes it.
    ///
    /// Setting a value turns a value of another kind into a dictionary with this one key, and
    /// creates a dictionary if there is no value. This is why a chain needs no `?`:
    ///
    /// ```swift
    /// var settings: MutableFleeceDictionary = [:]
    /// settings["network"]["proxy"]["port"] = 8080
    /// ```
    ///
    /// - Parameter key: any string.
    public subscript(key: String) -> MutableFleeceValue? {
        get { self?[key] }
        _modify {
            let isDictionary = self?.dictionary != nil
            var dictionary = self?.dictionary ?? MutableFleeceDictionary()
            // There must be a single owner, or the change would copy it.
            if isDictionary { self = .null }
            defer { if isDictionary || !dictionary.isEmpty { self = .dictionary(dictionary) } }
            yield &dictionary[key]
        }
    }

    /// An element of an array; nil if there is none. A negative index counts from the end.
    ///
    /// Setting nil removes the element. Setting has no effect outside the array, or if the value is
    /// not an array: no array is created.
    ///
    /// - Parameter index: the position of the element, -1 for the last one.
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
