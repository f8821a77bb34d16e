/// Applies a delta: a loop over the collections that are being changed.
struct DeltaApplication {
    /// A collection whose items before `next` have been written.
    struct Level {
        var items: Items
        var next = 0
    }

    enum Items {
        /// For each key the delta and the old value, each if present. With `inherits` only changes
        /// are written, and `undefined` for removed keys.
        case dictionary([(key: String, delta: FleeceValue?, old: FleeceValue?)], inherits: Bool)
        /// The first elements of the old array, and the deltas of some of
        /// them; then the new elements.
        case array(FleeceArray, count: Int, deltas: [Int: FleeceValue], tail: FleeceArray?)
    }

    private var levels: [Level] = []
    /// The path to the value that is being changed, for errors.
    private var path: [PropertyPath.Component] = []
    private var budget: DeltaBudget
    /// The maximum length of the output.
    private let maximumOutput: Int

    init(_ delta: FleeceValue, to old: FleeceValue?, _ encoder: borrowing FleeceEncoder) {
        budget = DeltaBudget(for: old, delta)
        let size = delta.document.bytes.count + (old?.document.bytes.count ?? 0)
        maximumOutput = encoder.byteCount + FleeceLimits.copyBudget(forBytes: size)
    }

    /// Writes the result of applying a delta to a value.
    mutating func apply(
        _ delta: FleeceValue, to old: FleeceValue?, _ encoder: inout FleeceEncoder
    ) throws {
        switch try result(of: delta, old) {
        case .removed: encoder.writeUndefined()
        case let result: try write(result, &encoder)
        }
        while !levels.isEmpty { try step(&encoder) }
    }
}

extension DeltaApplication {
    /// What a delta requests for one value.
    private enum Outcome {
        case value(FleeceValue)
        case text([UInt8])
        case removed
        case changed(FleeceValue, FleeceValue)
    }

    /// The result of applying a delta to a value, not including changes in nested values.
    private func result(of delta: FleeceValue, _ old: FleeceValue?) throws -> Outcome {
        if let forms = delta.array { return try result(of: forms, old) }
        guard let changes = delta.dictionary else {
            guard !path.isEmpty else { throw error("is a value without brackets") }
            return .value(delta)
        }
        guard !changes.isEmpty else { return old.map { .value($0) } ?? .removed }
        guard let old, old.kind == .dictionary || old.kind == .array else {
            throw error("changes the items of a value that is not a collection")
        }
        return .changed(old, delta)
    }

    private func result(of delta: FleeceArray, _ old: FleeceValue?) throws -> Outcome {
        switch delta.count {
        case 0: break
        case 1: return .value(delta[0])
        case 2: if old != nil { return .value(delta[1]) }
        case 3:
            switch delta[2].int {
            case 0 where delta[1].int == 0: break
            case 2 where delta[1].int == 0:
                guard let old = old?.raw.string, let patch = delta[0].raw.string else {
                    throw error("patches a value that is not a string")
                }
                return .text(try locating { try TextPatch.apply(patch, to: old) })
            case 3: throw error("moves an element, which is not supported")
            default: throw error("is an array of an unknown kind")
            }
        default: throw error("is an array of \(delta.count) elements")
        }
        guard old != nil else { throw error("replaces or removes a missing value") }
        return .removed
    }

    private func locating<T>(_ operation: () throws -> T) throws -> T {
        do {
            return try operation()
        } catch let error as FleeceError {
            throw self.error(error.message)
        }
    }

    private func error(_ message: String) -> FleeceError {
        FleeceError(.invalidData, "the delta at \(PropertyPath(path)) \(message)")
    }
}

extension DeltaApplication {
    /// Writes a scalar or a copied value, or opens a collection.
    private mutating func write(_ result: Outcome, _ encoder: inout FleeceEncoder) throws {
        switch result {
        case .value(let value): try encoder.write(value)
        case .text(let text): text.withUnsafeBytes { encoder.writeString($0) }
        case .removed: throw error("removes an element, which only \"i-\" can do")
        case .changed(let old, let delta):
            guard levels.count < FleeceLimits.walkDepth else {
                throw FleeceError.tooDeep()
            }
            if let array = old.array, let changes = delta.dictionary {
                levels.append(Level(items: try changed(array, changes)))
                encoder.beginArray()
            } else if let dictionary = old.dictionary, let changes = delta.dictionary {
                let inherits =
                    encoder.isInBase(old) && dictionary.canBeParent && !dictionary.isEmpty
                let items = try changed(dictionary, changes, inherits: inherits)
                levels.append(Level(items: items))
                if inherits {
                    try encoder.beginDictionary(inheriting: dictionary)
                } else {
                    encoder.beginDictionary()
                }
            }
        }
    }

    private mutating func changed(
        _ old: FleeceDictionary, _ changes: FleeceDictionary, inherits: Bool
    ) throws -> Items {
        try budget.pay(for: old)
        let changed = changes.keysOfProperties
        let keys =
            inherits
            ? changed : old.keysOfProperties + changed.filter { old.property($0) == nil }
        return .dictionary(
            keys.map { ($0, changes.property($0), old.property($0)) }, inherits: inherits)
    }

    private func changed(_ old: FleeceArray, _ changes: FleeceDictionary) throws -> Items {
        var deltas: [Int: FleeceValue] = [:]
        var tail: (start: Int, elements: FleeceArray)?
        guard changes["_t"] == nil else {
            throw error("is jsondiffpatch's for arrays, with moves, which is not supported")
        }
        for (key, delta) in changes {
            let isTail = key.last == "-"
            let digits = isTail ? String(key.dropLast()) : key
            guard let index = Int(digits), index >= 0, "\(index)" == digits, index <= old.count
            else { throw error("has no index of the array in \"\(key)\"") }
            if !isTail {
                deltas[index] = delta
            } else if let elements = delta.array, tail == nil {
                tail = (index, elements)
            } else {
                throw error("has no elements in \"\(key)\"")
            }
        }
        let count = tail?.start ?? old.count
        if let index = deltas.keys.first(where: { $0 >= count }) {
            throw error("has no index of the array in \"\(index)\"")
        }
        return .array(old, count: count, deltas: deltas, tail: tail?.elements)
    }

    /// Writes the next item of the innermost collection, or its end.
    private mutating func step(_ encoder: inout FleeceEncoder) throws {
        try budget.pay(1)
        guard encoder.byteCount <= maximumOutput else {
            throw FleeceError(.outOfRange, "the changed copy is larger than allowed")
        }
        let level = levels[levels.count - 1]
        let next = level.next
        levels[levels.count - 1].next += 1
        // Removes the components of the previous item and of everything in it.
        path.removeLast(path.count - (levels.count - 1))
        switch level.items {
        case .dictionary(let pairs, let inherits):
            guard next < pairs.count else { return try leave(&encoder) }
            let (key, delta, old) = pairs[next]
            path.append(.key(key))
            let result = try delta.map { try self.result(of: $0, old) } ?? old.map { .value($0) }
            guard let result else { return }
            if case .removed = result {
                guard inherits, old != nil else { return }
                try encoder.writeKey(key)
                encoder.writeUndefined()
            } else {
                try encoder.writeKey(key)
                try write(result, &encoder)
            }
        case .array(let old, let count, let deltas, let tail):
            guard next < count + (tail?.count ?? 0) else { return try leave(&encoder) }
            path.append(.index(next))
            if next >= count, let tail {
                try encoder.write(tail[next - count])
            } else if let delta = deltas[next] {
                try write(try result(of: delta, old[next]), &encoder)
            } else {
                try encoder.write(old[next])
            }
        }
    }

    private mutating func leave(_ encoder: inout FleeceEncoder) throws {
        let level = levels.removeLast()
        if case .array = level.items { try encoder.endArray() } else { try encoder.endDictionary() }
    }
}
