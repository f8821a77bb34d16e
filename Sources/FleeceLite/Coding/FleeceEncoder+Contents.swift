extension FleeceEncoder {
    /// Writes the elements or pairs of a document's root into the open collection, which must be of
    /// the same kind. The document has no shared keys.
    mutating func writeContents(of document: UnsafeRawBufferPointer) throws {
        guard let root = RawValue.root(of: document), var walk = ContentsWalk(root) else {
            throw FleeceError(.invalidData, "no collection to write")
        }
        while let value = try walk.next(&self) { try writeScalar(value) }
    }

    private mutating func writeScalar(_ value: RawValue) throws {
        if let text = value.string {
            writeString(text)
        } else if let data = value.bytes(tag: FleeceTag.data) {
            writeData([UInt8](data))
        } else if let integer = value.integer {
            if integer.isUnsigned {
                writeUInt(UInt64(bitPattern: integer.bits))
            } else {
                writeInt(integer.bits)
            }
        } else if let number = value.floatingPoint {
            if number.isSingle {
                try writeFloat(Float(number.value))
            } else {
                try writeDouble(number.value)
            }
        } else if value.isNil {
            writeNull()
        } else {
            writeBool(value.byte(0) == FleeceSpecial.true)
        }
    }
}

/// Iterates over the scalars of a value in the order of their bytes, and opens and closes the
/// enclosing collections.
private struct ContentsWalk {
    private struct Level {
        let slots: RawCollection
        let isDictionary: Bool
        var next = 0
    }

    private var levels: [Level]

    init?(_ root: RawValue) {
        guard let level = Self.level(root) else { return nil }
        levels = [level]
    }

    private static func level(_ value: RawValue) -> Level? {
        if let array = value.array { return Level(slots: array, isDictionary: false) }
        return value.dictionary.map { Level(slots: $0, isDictionary: true) }
    }

    mutating func next(_ encoder: inout FleeceEncoder) throws -> RawValue? {
        while let level = levels.last {
            guard level.next < level.slots.count else {
                levels.removeLast()
                if levels.isEmpty { return nil }
                if level.isDictionary {
                    try encoder.endDictionary()
                } else {
                    try encoder.endArray()
                }
                continue
            }
            levels[levels.count - 1].next += 1
            guard let value = try Self.item(level, &encoder) else {
                throw FleeceError(.invalidData, "a value is damaged")
            }
            guard let inner = Self.level(value) else { return value }
            if inner.isDictionary { encoder.beginDictionary() } else { encoder.beginArray() }
            levels.append(inner)
        }
        return nil
    }

    /// Returns the next value of a collection, after writing its key if it has one.
    private static func item(_ level: Level, _ encoder: inout FleeceEncoder) throws -> RawValue? {
        guard level.isDictionary else { return level.slots.slot(level.next) }
        guard case .string(let key) = level.slots.key(level.next) else { return nil }
        try encoder.writeKey(key)
        return level.slots.slot(2 * level.next + 1)
    }
}
