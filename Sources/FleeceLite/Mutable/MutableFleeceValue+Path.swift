extension MutableFleeceValue {
    /// The value at a path; nil if there is none. Setting nil removes it.
    ///
    /// Setting a value creates the dictionaries that are missing on the path, and replaces scalars
    /// on it. Setting has no effect if an array on the path has no such element, or if the path has
    /// more than ``FleeceLimits/walkDepth`` steps.
    ///
    /// ```swift
    /// var person: MutableFleeceValue = ["tags": ["math", "music"]]
    /// person[try PropertyPath(parsing: "address.city")] = "London"
    /// person[try PropertyPath(parsing: "tags[-1]")] = nil
    /// ```
    ///
    /// - Parameter path: the path from this value; an empty one leads to the value itself, which
    ///   becomes `null` if nil is set.
    public subscript(path: PropertyPath) -> MutableFleeceValue? {
        get { Optional(self)[path.components[...]] }
        _modify {
            var all = takeSelf()
            var value = all.take(path)
            defer {
                all.put(value, path)
                self = all ?? .null
            }
            yield &value
        }
    }
}

extension MutableFleeceDictionary {
    /// The value at a path from here; nil if there is none. Setting nil removes it.
    ///
    /// Sets as ``MutableFleeceValue``'s subscript does; the first step must be a key, otherwise
    /// setting has no effect.
    ///
    /// - Parameter path: the path from this dictionary.
    public subscript(path: PropertyPath) -> MutableFleeceValue? {
        get {
            guard case .key(let key) = path.components.first else { return nil }
            return self[key][path.components.dropFirst()]
        }
        _modify {
            var all: MutableFleeceValue? = .dictionary(self)
            self = MutableFleeceDictionary()
            var value = leads(path) ? all.take(path) : nil
            defer {
                if leads(path) { all.put(value, path) }
                self = all?.dictionary ?? self
            }
            yield &value
        }
    }

    private func leads(_ path: PropertyPath) -> Bool {
        if case .key = path.components.first { true } else { false }
    }
}

extension MutableFleeceArray {
    /// The value at a path from here; nil if there is none. Setting nil removes it.
    ///
    /// Sets as ``MutableFleeceValue``'s subscript does; the first step must be an index, otherwise
    /// setting has no effect.
    ///
    /// - Parameter path: the path from this array.
    public subscript(path: PropertyPath) -> MutableFleeceValue? {
        get {
            guard case .index(let index) = path.components.first else { return nil }
            return self[at: index][path.components.dropFirst()]
        }
        _modify {
            var all: MutableFleeceValue? = .array(self)
            self = MutableFleeceArray()
            var value = leads(path) ? all.take(path) : nil
            defer {
                if leads(path) { all.put(value, path) }
                self = all?.array ?? self
            }
            yield &value
        }
    }

    private func leads(_ path: PropertyPath) -> Bool {
        if case .index = path.components.first { true } else { false }
    }
}

extension PropertyPath {
    /// The steps, if they are not too many for a change; otherwise a path that matches nothing.
    fileprivate var settable: ArraySlice<Component> {
        components.count <= FleeceLimits.walkDepth ? components[...] : [.index(.max)]
    }
}

extension Optional<MutableFleeceValue> {
    /// The value at these steps.
    fileprivate subscript(steps: ArraySlice<PropertyPath.Component>) -> MutableFleeceValue? {
        steps.reduce(self) { value, step in
            switch step {
            case .key(let key): value[key]
            case .index(let index): value[index]
            }
        }
    }

    /// Removes the value at a path from the storage, so that the caller is its only owner.
    fileprivate mutating func take(_ path: PropertyPath) -> MutableFleeceValue? {
        var value: MutableFleeceValue?
        update(path.settable) { target in
            value = target
            if target != nil { target = .null }
        }
        return value
    }

    fileprivate mutating func put(_ value: MutableFleeceValue?, _ path: PropertyPath) {
        update(path.settable) { $0 = value }
    }

    /// Uses nested functions, not accessors: compilers have generated wrong code for nested
    /// accessors that yield in several positions.
    private mutating func update(
        _ steps: ArraySlice<PropertyPath.Component>,
        _ operation: (inout MutableFleeceValue?) -> Void
    ) {
        switch steps.first {
        case nil: operation(&self)
        case .key(let key): self[key].update(steps.dropFirst(), operation)
        case .index(let index): self[index].update(steps.dropFirst(), operation)
        }
    }
}
