/// The writing of one value: a loop over the open collections, since a stack may be small.
struct MutableWalk {
    private enum Level {
        case array([MutableFleeceValue], next: Int)
        /// New properties, and their places in the order of their keys.
        case table([PropertyTable.Property], order: [Int], next: Int)
        case dictionary([MutableFleeceDictionary.Element], next: Int)
        /// What a dictionary has of its own that inherits the rest; nil deletes.
        case heir([(key: String, value: MutableFleeceValue?)], next: Int)
        case merge(PropertyMerge, MergedKeys)
    }

    /// The collections that are being written.
    private var levels: [Level] = []
    /// How many more bytes may be copied from documents, and from which.
    private var budget = FleeceLimits.copiedBytes
    private var latest: UnsafeRawPointer?
    /// The documents before the latest one.
    private var documents: Set<UnsafeRawPointer> = []

    /// Writes the next item of the innermost collection, or its end; false if none is open.
    mutating func step(_ encoder: inout FleeceEncoder) throws -> Bool {
        // Taken off, so that it has one owner only.
        switch levels.popLast() {
        case .array(let elements, let next): try write(elements, from: next, &encoder)
        case .table(let properties, let order, let next):
            try write(properties, order, from: next, &encoder)
        case .dictionary(let pairs, let next):
            guard next < pairs.count else { return try end(encoder.endDictionary()) }
            levels.append(.dictionary(pairs, next: next + 1))
            try encoder.writeKey(pairs[next].key)
            try begin(pairs[next].value, &encoder)
        case .heir(let pairs, let next):
            guard next < pairs.count else { return try end(encoder.endDictionary()) }
            levels.append(.heir(pairs, next: next + 1))
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

    /// Writes elements up to the next one that is a collection, or all that are left.
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

    /// The same for new properties.
    private mutating func write(
        _ properties: [PropertyTable.Property], _ order: [Int], from first: Int,
        _ encoder: inout FleeceEncoder
    ) throws {
        var next = first
        try properties.withUnsafeBufferPointer { properties in
            while next < order.count {
                let place = order[next]
                try encoder.writeKey(properties[place].key)
                guard try write(properties[place].value ?? .null, &encoder) else { return }
                next += 1
            }
        }
        guard next < order.count else { return try encoder.endDictionary() }
        levels.append(.table(properties, order: order, next: next + 1))
        try open(properties[order[next]].value ?? .null, &encoder)
    }

    /// Writes properties up to the next one that is a new value, or all that are left.
    private mutating func write(
        _ merge: consuming PropertyMerge, _ keys: MergedKeys, _ encoder: inout FleeceEncoder
    ) throws {
        var keys = keys
        while let item = merge.next() {
            switch item {
            case .kept(let pair, let value):
                try keys.write(merge.source.raw.key(pair), of: merge.source, &encoder)
                try copy(value, of: merge.source.document, &encoder)
            case .changed(let place):
                let change = merge.changes[place]
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

    /// Writes a value unless it is a collection that has to be gone through.
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

    /// Writes a value of a document. All of them have one budget: an array may have very many that
    /// are each as large as a copy may be.
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
            levels.append(.heir(dictionary.changedProperties, next: 0))
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

    /// As the reference decides: few changes, and a parent that has no grandparent.
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
