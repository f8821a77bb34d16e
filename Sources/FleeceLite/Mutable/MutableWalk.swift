/// The state of writing one value: a loop over the open collections, since a stack may be small.
struct MutableWalk {
    private enum Level {
        case array([MutableFleeceValue], next: Int)
        /// New properties, and their indexes in the order of their keys.
        case table([PropertyTable.Property], order: [Int], next: Int)
        case dictionary([MutableFleeceDictionary.Element], next: Int)
        /// The own properties of a dictionary that inherits the rest; nil deletes one.
        case inheriting([(key: String, value: MutableFleeceValue?)], next: Int)
        case merge(PropertyMerge, MergedKeys)
    }

    /// The collections that are being written.
    private var levels: [Level] = []
    /// The number of bytes that may still be copied from documents.
    private var budget = FleeceLimits.copiedBytes
    private var latest: UnsafeRawPointer?
    /// The documents that were copied from, except for the latest one.
    private var documents: Set<UnsafeRawPointer> = []

    /// Writes the next item of the innermost collection, or its end; returns false if none is open.
    mutating func step(_ encoder: inout FleeceEncoder) throws -> Bool {
        // Removed from the array, so that it has a single owner.
        switch levels.popLast() {
        case .array(let elements, let next): try write(elements, from: next, &encoder)
        case .table(let properties, let order, let next):
            try write(properties, order, from: next, &encoder)
        case .dictionary(let pairs, let next):
            guard next < pairs.count else { return try end(encoder.endDictionary()) }
            levels.append(.dictionary(pairs, next: next + 1))
            try encoder.writeKey(pairs[next].key)
            try begin(pairs[next].value, &encoder)
        case .inheriting(let pairs, let next):
            guard next < pairs.count else { return try end(encoder.endDictionary()) }
            levels.append(.inheriting(pairs, next: next + 1))
            try encoder.writeKey(pairs[next].key)
            try pairs[next].value.map { try begin($0, &encoder) } ?? encoder.writeUndefined()
        case .merge(let merge, let keys):
            try write(merge, keys, &encoder)
        case nil:
            return false
        }
        return true
    }

    private func end(_: Void) -> Bool { true }

    /// Writes elements up to the next collection, or all that remain.
    private mutating func write(
        _ elements: [MutableFleeceValue], from first: Int, _ encoder: inout FleeceEncoder
    ) throws {
        var next = first
        try elements.withUnsafeBufferPointer { elements in
            while next < elements.count, try write(elements[next], &encoder) { next += 1 }
        }
        guard next < elements.count else { return try encoder.endArray() }
        levels.append(.array(elements, next: next + 1))
        try open(elements[next], &encoder)
    }

    /// Writes new properties likewise.
    private mutating func write(
        _ properties: [PropertyTable.Property], _ order: [Int], from first: Int,
        _ encoder: inout FleeceEncoder
    ) throws {
        var next = first
        try properties.withUnsafeBufferPointer { properties in
            while next < order.count {
                let position = order[next]
                try encoder.writeKey(properties[position].key)
                guard try write(properties[position].value ?? .null, &encoder) else { return }
                next += 1
            }
        }
        guard next < order.count else { return try encoder.endDictionary() }
        levels.append(.table(properties, order: order, next: next + 1))
        try open(properties[order[next]].value ?? .null, &encoder)
    }

    /// Writes properties up to the next one with a new value, or all that remain.
    private mutating func write(
        _ merge: consuming PropertyMerge, _ keys: MergedKeys, _ encoder: inout FleeceEncoder
    ) throws {
        var keys = keys
        while let item = merge.next() {
            switch item {
            case .unchanged(let pair, let value):
                try keys.write(merge.source.raw.key(pair), of: merge.source, &encoder)
                try copy(value, of: merge.source.document, &encoder)
            case .changed(let position):
                let change = merge.changes[position]
                try keys.write(change, &encoder)
                levels.append(.merge(merge, keys))
                return try begin(change.value ?? .null, &encoder)
            }
        }
        if keys.isOrdered { encoder.closeOrderedDictionary() } else { encoder.closeDictionary() }
    }

    /// Writes a scalar, or opens a collection.
    mutating func begin(_ value: MutableFleeceValue, _ encoder: inout FleeceEncoder) throws {
        if try !write(value, &encoder) { try open(value, &encoder) }
    }

    /// Writes a value unless it is a collection that must be iterated.
    private mutating func write(
        _ value: MutableFleeceValue, _ encoder: inout FleeceEncoder
    ) throws -> Bool {
        switch value {
        case .null: encoder.writeNull()
        case .bool(let bool): encoder.writeBool(bool)
        case .int(let number): encoder.copyInt(number)
        case .uint(let number): encoder.copyUInt(number)
        case .float(let number): try encoder.writeFloat(number)
        case .double(let number): try encoder.writeDouble(number)
        case .string(let text): encoder.writeString(text)
        case .data(let bytes): encoder.writeData(bytes)
        case .value(let value): try copy(value.raw, of: value.document, &encoder)
        case .array, .dictionary: return false
        }
        return true
    }

    private mutating func open(
        _ value: MutableFleeceValue, _ encoder: inout FleeceEncoder
    ) throws {
        switch value {
        case .array(let array): try begin(array, &encoder)
        case .dictionary(let dictionary): try begin(dictionary, &encoder)
        default: break
        }
    }

    /// Writes a value of a document. All of them share one budget: an array may have very many
    /// values that are each as large as a copy may be.
    private mutating func copy(
        _ value: RawValue, of document: FleeceDocument, _ encoder: inout FleeceEncoder
    ) throws {
        if latest != value.base { change(to: value.base, document) }
        let before = encoder.byteCount
        try encoder.copy(value, of: document, budget: max(budget, 0))
        budget -= encoder.byteCount - before
    }

    private mutating func change(to base: UnsafeRawPointer, _ document: FleeceDocument) {
        if let latest { documents.insert(latest) }
        latest = base
        if !documents.contains(base) { budget += 16 * document.bytes.count }
    }

    private mutating func begin(
        _ array: MutableFleeceArray, _ encoder: inout FleeceEncoder
    ) throws {
        if !array.isChanged, let source = array.source?.value {
            return try copy(source.raw, of: source.document, &encoder)
        }
        try requireSpace()
        encoder.beginArray()
        levels.append(.array(array.elements, next: 0))
    }

    private mutating func begin(
        _ dictionary: MutableFleeceDictionary, _ encoder: inout FleeceEncoder
    ) throws {
        if !dictionary.isChanged, let source = dictionary.source {
            return try copy(source.raw.value, of: source.document, &encoder)
        }
        try requireSpace()
        if let parent = dictionary.source, isWorthInheriting(dictionary, parent, encoder) {
            try encoder.beginDictionary(inheriting: parent)
            levels.append(.inheriting(dictionary.changedProperties, next: 0))
        } else if let merge = PropertyMerge(dictionary) {
            levels.append(.merge(merge, MergedKeys(merge.source, &encoder)))
        } else {
            encoder.beginDictionary()
            levels.append(level(dictionary))
        }
    }

    private func level(_ dictionary: MutableFleeceDictionary) -> Level {
        guard dictionary.source == nil else {
            return .dictionary(dictionary.properties, next: 0)
        }
        let changes = dictionary.changes
        return .table(changes.properties, order: changes.order, next: 0)
    }

    /// Decides as the reference does: few changes, and a parent without a grandparent.
    private func isWorthInheriting(
        _ dictionary: MutableFleeceDictionary, _ parent: FleeceDictionary,
        _ encoder: borrowing FleeceEncoder
    ) -> Bool {
        encoder.base != nil && encoder.isInBase(parent.value) && parent.canBeParent
            && dictionary.changes.count + 1 < dictionary.count
    }

    private func requireSpace() throws {
        guard levels.count < FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep()
        }
    }
}
