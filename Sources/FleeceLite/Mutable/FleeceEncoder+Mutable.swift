extension FleeceEncoder {
    /// Writes a value that a program made or changed.
    ///
    /// Integers of 3 and 4 bytes go into the slots of their collection, as when a value of a
    /// document is copied: the bytes are the reference's. What lies in the encoder's base and has
    /// not been changed is pointed to, and a dictionary of the base with few changes becomes one
    /// that inherits from it.
    ///
    /// Throws `.outOfRange` beyond `FleeceLimits.walkDepth` levels, and if small documents stand
    /// for values of more than 16 MiB and 16 times their size; `.invalidData` for NaN and for
    /// corrupt values of a document. The encoder then has to be `reset()`.
    public mutating func write(_ value: MutableFleeceValue) throws {
        var walk = MutableWalk()
        try walk.begin(value, &self)
        while try walk.step(&self) {}
    }

    /// Writes a dictionary that a program made or changed; see `write(_:)` of a value.
    @_disfavoredOverload  // A literal is a value, rather than this.
    public mutating func write(_ dictionary: MutableFleeceDictionary) throws {
        try write(.dictionary(dictionary))
    }

    /// Writes an array that a program made or changed; see `write(_:)` of a value.
    @_disfavoredOverload
    public mutating func write(_ array: MutableFleeceArray) throws {
        try write(.array(array))
    }
}

/// The writing of one value: a loop over the open collections, since a stack may be small.
private struct MutableWalk {
    private enum Level {
        case array(MutableFleeceArray)
        case dictionary([(key: String, value: MutableFleeceValue?)])
    }

    /// The collections that are being written and the index of the next item of each.
    private var levels: [(items: Level, next: Int)] = []
    /// How many more bytes may be copied from documents, and from which.
    private var budget = FleeceLimits.copiedBytes
    private var documents: Set<UnsafeRawPointer> = []
    private var latest: UnsafeRawPointer?

    /// Writes the next item of the innermost collection, or its end; false if none is open.
    mutating func step(_ encoder: inout FleeceEncoder) throws -> Bool {
        guard let (items, next) = levels.last else { return false }
        levels[levels.count - 1].next += 1
        switch items {
        case .array(let array):
            if next < array.count {
                try begin(array[next], &encoder)
            } else {
                levels.removeLast()
                try encoder.endArray()
            }
        case .dictionary(let pairs):
            if next < pairs.count {
                try encoder.writeKey(pairs[next].key)
                try pairs[next].value.map { try begin($0, &encoder) } ?? encoder.writeUndefined()
            } else {
                levels.removeLast()
                try encoder.endDictionary()
            }
        }
        return true
    }

    /// Writes a scalar, or opens a collection.
    mutating func begin(_ value: MutableFleeceValue, _ encoder: inout FleeceEncoder) throws {
        switch value {
        case .null: encoder.writeNull()
        case .bool(let bool): encoder.writeBool(bool)
        case .int(let number): encoder.copyInt(number)
        case .uint(let number): encoder.copyUInt(number)
        case .float(let number): try encoder.writeFloat(number)
        case .double(let number): try encoder.writeDouble(number)
        case .string(let text): encoder.writeString(text)
        case .data(let bytes): encoder.writeData(bytes)
        case .value(let value): try copy(value, &encoder)
        case .array(let array): try begin(array, &encoder)
        case .dictionary(let dictionary): try begin(dictionary, &encoder)
        }
    }

    /// Writes a value of a document. All of them have one budget: an array may have very many that
    /// are each as large as a copy may be.
    private mutating func copy(_ value: FleeceValue, _ encoder: inout FleeceEncoder) throws {
        if latest != value.raw.base {
            latest = value.raw.base
            if documents.insert(value.raw.base).inserted {
                budget += 16 * value.document.bytes.count
            }
        }
        let before = encoder.byteCount
        try encoder.write(value, maximumBytes: max(budget, 0))
        budget -= encoder.byteCount - before
    }

    private mutating func begin(
        _ array: MutableFleeceArray, _ encoder: inout FleeceEncoder
    ) throws {
        if !array.isChanged, let source = array.source?.value { return try copy(source, &encoder) }
        try requireRoom()
        encoder.beginArray()
        levels.append((.array(array), 0))
    }

    private mutating func begin(
        _ dictionary: MutableFleeceDictionary, _ encoder: inout FleeceEncoder
    ) throws {
        if !dictionary.isChanged, let source = dictionary.source?.value {
            return try copy(source, &encoder)
        }
        try requireRoom()
        if let parent = dictionary.source, isWorthInheriting(dictionary, parent, encoder) {
            try encoder.beginDictionary(inheriting: parent)
            levels.append((.dictionary(dictionary.changedProperties), 0))
        } else {
            encoder.beginDictionary()
            levels.append((.dictionary(dictionary.map { ($0.key, $0.value) }), 0))
        }
    }

    /// As the reference decides: few changes, and a parent that has no grandparent.
    private func isWorthInheriting(
        _ dictionary: MutableFleeceDictionary, _ parent: FleeceDictionary,
        _ encoder: borrowing FleeceEncoder
    ) -> Bool {
        encoder.isInBase(parent.value) && parent.canHaveHeirs
            && dictionary.changes.count + 1 < dictionary.count
    }

    private func requireRoom() throws {
        guard levels.count < FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep()
        }
    }
}
