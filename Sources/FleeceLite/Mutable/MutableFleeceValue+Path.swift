extension MutableFleeceValue {
    /// What a path leads to, nil if there is nothing; setting nil removes it.
    ///
    /// Dictionaries that are missing on the way are made when something is set, also in place of
    /// a scalar. Nothing is set where an array on the way has no such element, nor through a path
    /// of more than `FleeceLimits.walkDepth` steps.
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
    /// What a path leads to from here, nil if there is nothing; setting nil removes it.
    ///
    /// Sets as `MutableFleeceValue`'s does; the first step must be a key.
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
    /// What a path leads to from here, nil if there is nothing; setting nil removes it.
    ///
    /// Sets as `MutableFleeceValue`'s does; the first step must be an index.
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
    /// The steps, if they are not too many for a change; else one that leads nowhere.
    fileprivate var settable: ArraySlice<Component> {
        components.count <= FleeceLimits.walkDepth ? components[...] : [.index(.max)]
    }
}

extension Optional<MutableFleeceValue> {
    /// What is reached by these steps.
    fileprivate subscript(steps: ArraySlice<PropertyPath.Component>) -> MutableFleeceValue? {
        steps.reduce(self) { value, step in
            switch step {
            case .key(let key): value[key]
            case .index(let index): value[index]
            }
        }
    }

    /// What a path leads to, which then has no second owner here.
    fileprivate mutating func take(_ path: PropertyPath) -> MutableFleeceValue? {
        var value: MutableFleeceValue?
        update(path.settable) { place in
            value = place
            if place != nil { place = .null }
        }
        return value
    }

    fileprivate mutating func put(_ value: MutableFleeceValue?, _ path: PropertyPath) {
        update(path.settable) { $0 = value }
    }

    /// Functions inside each other, not accessors: compilers have broken nested accessors that
    /// yield in several places.
    private mutating func update(
        _ steps: ArraySlice<PropertyPath.Component>,
        _ body: (inout MutableFleeceValue?) -> Void
    ) {
        switch steps.first {
        case nil: body(&self)
        case .key(let key): self[key].update(steps.dropFirst(), body)
        case .index(let index): self[index].update(steps.dropFirst(), body)
        }
    }
}
