/// Writes Fleece values as JSON, compact or indented, in the order they are stored in.
public struct JSONWriter: Sendable {
    /// How values are written.
    public struct Options: Sendable {
        /// A line for each element and property, indented by two spaces a level.
        public var pretty = false
        /// Infinity, NaN and `undefined`, which JSON lacks, become `null`; if false, an error.
        public var nullForUnrepresentable = true
        /// The most bytes written for one value: a small document that uses its parts again and
        /// again can stand for a very large one.
        public var maximumBytes = 1 << 30

        /// Compact, with `null` for what JSON lacks, at most 1 GiB a value.
        public init() {}
    }

    /// What has been written.
    public var text = JSONText()
    let options: Options
    private var depth = 0
    private var start = 0

    /// Makes a writer with nothing written.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Appends a value.
    ///
    /// Throws `.invalidData` where the value's bytes are corrupt, `.outOfRange` beyond
    /// `maximumBytes` or `FleeceLimits.walkDepth`; `text` is then as it was before.
    public mutating func write(_ value: FleeceValue) throws {
        start = text.utf8.count
        depth = 0
        do {
            try write(value.raw, keys: value.document.sharedKeys)
        } catch {
            text.utf8.removeSubrange(start...)
            throw error
        }
    }

    /// Appends an object that holds `properties`, each a key and JSON that is written already,
    /// and then those of `dictionary`.
    public mutating func write(
        _ dictionary: FleeceDictionary?, after properties: [(key: String, json: JSONText)]
    ) throws {
        start = text.utf8.count
        depth = 0
        do {
            try writeObject(dictionary, after: properties)
        } catch {
            text.utf8.removeSubrange(start...)
            throw error
        }
    }
}

extension JSONWriter {
    private mutating func write(_ value: RawValue?, keys: SharedKeys) throws {
        guard let value, value.has(2) else { throw corrupt(value, "a value") }
        guard text.utf8.count - start <= options.maximumBytes else {
            throw FleeceError(.outOfRange, "over \(options.maximumBytes) bytes of JSON")
        }
        switch value.tag {
        case FleeceTag.shortInteger, FleeceTag.integer: try writeInteger(value)
        case FleeceTag.float: try writeFloatingPoint(value)
        case FleeceTag.special: try writeSpecial(value)
        case FleeceTag.string: try writeString(value)
        case FleeceTag.data: try writeData(value)
        case FleeceTag.array: try writeArray(value, keys)
        case FleeceTag.dictionary: try writeDictionary(value, keys)
        default: throw corrupt(value, "a value")
        }
    }

    private func corrupt(_ value: RawValue?, _ what: String) -> FleeceError {
        FleeceError(.invalidData, "\(what) is corrupt", offset: value?.offset)
    }

    private mutating func writeInteger(_ value: RawValue) throws {
        guard let integer = value.integer else { throw corrupt(value, "an integer") }
        if integer.isUnsigned {
            text.append(UInt64(bitPattern: integer.bits))
        } else {
            text.append(integer.bits)
        }
    }

    private mutating func writeFloatingPoint(_ value: RawValue) throws {
        guard let (number, isSingle) = value.floatingPoint else {
            throw corrupt(value, "a floating-point number")
        }
        guard number.isFinite else { return try writeUnrepresentable("\(number)") }
        text.utf8.append(
            contentsOf: (isSingle ? Float(number).description : number.description).utf8)
    }

    private mutating func writeSpecial(_ value: RawValue) throws {
        switch value.byte(0) {
        case FleeceSpecial.true: text.append("true")
        case FleeceSpecial.false: text.append("false")
        case FleeceSpecial.undefined: try writeUnrepresentable("undefined")
        default: text.append("null")
        }
    }

    private mutating func writeUnrepresentable(_ what: String) throws {
        guard options.nullForUnrepresentable else {
            throw FleeceError(.invalidData, "JSON has no \(what)")
        }
        text.append("null")
    }

    private mutating func writeString(_ value: RawValue) throws {
        guard let string = value.string else { throw corrupt(value, "a string") }
        guard UTF8Validation.firstInvalid(in: string) == nil else {
            throw corrupt(value, "a string's UTF-8")
        }
        text.append(quoted: string)
    }

    private mutating func writeData(_ value: RawValue) throws {
        guard let data = value.bytes(tag: FleeceTag.data) else { throw corrupt(value, "data") }
        text.append("\"")
        text.append(base64: data)
        text.append("\"")
    }
}

extension JSONWriter {
    private mutating func enter(_ value: RawValue) throws {
        depth += 1
        guard depth <= FleeceLimits.walkDepth else {
            throw FleeceError(
                .outOfRange, "over \(FleeceLimits.walkDepth) levels of nesting",
                offset: value.offset)
        }
    }

    private mutating func writeArray(_ value: RawValue, _ keys: SharedKeys) throws {
        guard let array = value.array else { throw corrupt(value, "an array") }
        try enter(value)
        text.append("[")
        for index in 0..<array.count {
            beginItem(isFirst: index == 0)
            try write(array.slot(index), keys: keys)
        }
        leave("]", isEmpty: array.count == 0)
    }

    private mutating func writeDictionary(_ value: RawValue, _ keys: SharedKeys) throws {
        guard let dictionary = value.dictionary else { throw corrupt(value, "a dictionary") }
        try enter(value)
        text.append("{")
        let count = try writePairs(dictionary, keys, offset: value.offset, isFirst: true)
        leave("}", isEmpty: count == 0)
    }

    private mutating func writeObject(
        _ dictionary: FleeceDictionary?, after properties: [(key: String, json: JSONText)]
    ) throws {
        depth += 1
        text.append("{")
        for (index, property) in properties.enumerated() {
            beginItem(isFirst: index == 0)
            text.append(quoted: property.key)
            appendColon()
            text.utf8.append(contentsOf: property.json.utf8)
        }
        var count = properties.count
        if let dictionary {
            count += try writePairs(
                dictionary.raw, dictionary.document.sharedKeys,
                offset: dictionary.raw.start, isFirst: properties.isEmpty)
        }
        leave("}", isEmpty: count == 0)
    }

    private mutating func writePairs(
        _ dictionary: RawCollection, _ keys: SharedKeys, offset: Int, isFirst: Bool
    ) throws -> Int {
        var count = 0
        for pair in RawPairs(dictionary) {
            beginItem(isFirst: isFirst && count == 0)
            count += 1
            try writeKey(pair.key, keys, offset: offset)
            appendColon()
            try write(pair.value, keys: keys)
        }
        return count
    }

    private mutating func writeKey(
        _ key: RawCollection.Key?, _ keys: SharedKeys, offset: Int
    ) throws {
        switch key {
        case .string(let string):
            guard UTF8Validation.firstInvalid(in: string) == nil else {
                throw FleeceError(.invalidData, "a key's UTF-8 is corrupt", offset: offset)
            }
            text.append(quoted: string)
        case .number(let number):
            guard let name = keys.key(at: number) else {
                throw FleeceError(
                    .invalidData, "no shared key has the number \(number)", offset: offset)
            }
            text.append(quoted: name)
        case nil:
            throw FleeceError(.invalidData, "a key is no string", offset: offset)
        }
    }

    private mutating func beginItem(isFirst: Bool) {
        if !isFirst { text.append(",") }
        breakLine()
    }

    private mutating func leave(_ bracket: StaticString, isEmpty: Bool) {
        depth -= 1
        if !isEmpty { breakLine() }
        text.append(bracket)
    }

    private mutating func appendColon() {
        text.append(options.pretty ? ": " : ":")
    }

    private mutating func breakLine() {
        guard options.pretty else { return }
        text.append("\n")
        for _ in 0..<depth { text.append("  ") }
    }
}
