internal import StorePlatform

/// The state of writing one value: a loop over the open collections, since a stack may be small.
struct JSONWalk: ~Copyable {
    /// An open collection.
    struct Frame: BitwiseCopyable {
        let collection: RawCollection
        var next: Int
        let count: Int
        /// The index in `pairLists` of the pairs; -1 for those of the collection itself.
        let pairs: Int
    }

    var text = JSONBuffer()
    private let options: JSONWriter.Options
    private var frames = GrowingBuffer<Frame>(capacity: 16)
    /// The pairs of open dictionaries that inherit, or that are sorted.
    private var pairLists: [[RawPairs.Pair]] = []
    /// The number of pairs that were merged or sorted, which can be work without output.
    private var mergedPairs = 0

    init(options: JSONWriter.Options) {
        self.options = options
    }

    /// Appends a value.
    mutating func write(_ value: RawValue, keys: SharedKeys) throws {
        try begin(value, keys: keys)
        try writeItems(keys: keys)
        try requireSpace(0)
    }

    /// Appends an object with properties that are already written and those of a dictionary.
    mutating func write(
        _ dictionary: RawCollection?, after properties: [(key: String, json: JSONText)],
        keys: SharedKeys
    ) throws {
        try enter(dictionary ?? .empty, keys: keys)
        for property in properties {
            beginItem(isFirst: text.count == 1)
            var key = property.key
            key.withUTF8 { _ = text.append(quoted: UnsafeRawBufferPointer($0)) }
            appendColon()
            property.json.utf8.withUnsafeBytes { text.append($0) }
        }
        try writeItems(keys: keys, isFirst: properties.isEmpty)
        try requireSpace(0)
    }

    /// Checks that `bytes` more may be written.
    @inline(__always)
    private func requireSpace(_ bytes: Int) throws {
        guard text.count &+ bytes <= options.maximumBytes else {
            throw FleeceError(.outOfRange, "over \(options.maximumBytes) bytes of JSON")
        }
    }
}

extension JSONWalk {
    /// Writes the remaining items of the open collections.
    private mutating func writeItems(keys: SharedKeys, isFirst: Bool = true) throws {
        var isFirst = isFirst
        while frames.count > 0 {
            let frame = frames.base[frames.count &- 1]
            if frame.next == frame.count {
                leave(frame, isEmpty: isFirst)
                isFirst = false
                continue
            }
            frames.base[frames.count &- 1].next &+= 1
            beginItem(isFirst: isFirst)
            isFirst = false
            let open = frames.count
            if frame.pairs >= 0 {
                let pair = pairLists[frame.pairs][frame.next]
                try writeKey(pair.key, keys, offset: frame.collection.start)
                try begin(pair.value, keys: keys)
            } else if frame.collection.isDictionary {
                try writeKey(
                    frame.collection.key(frame.next), keys, offset: frame.collection.start)
                try begin(frame.collection.slot(2 &* frame.next &+ 1), keys: keys)
            } else {
                try begin(frame.collection.slot(frame.next), keys: keys)
            }
            if frames.count > open { isFirst = true }
        }
    }

    /// Writes a scalar, or opens a collection.
    @inline(__always)
    private mutating func begin(_ value: RawValue?, keys: SharedKeys) throws {
        guard let value, value.has(2) else { throw corrupt(value, "a value") }
        try requireSpace(1)
        switch value.tag {
        case FleeceTag.string: try writeString(value)
        case FleeceTag.array:
            guard let array = value.array else { throw corrupt(value, "an array") }
            try enter(array, keys: keys)
        case FleeceTag.dictionary:
            guard let dictionary = value.dictionary else { throw corrupt(value, "a dictionary") }
            try enter(dictionary, keys: keys)
        default: try writeScalar(value)
        }
    }

    private mutating func enter(_ collection: RawCollection, keys: SharedKeys) throws {
        guard frames.count < FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep(offset: collection.offset)
        }
        var frame = Frame(
            collection: collection, next: 0, count: collection.count, pairs: -1)
        if collection.isDictionary, options.canonical || collection.parent != nil {
            let pairs = try pairs(of: collection, keys)
            frame = Frame(
                collection: collection, next: 0, count: pairs.count, pairs: pairLists.count)
            pairLists.append(pairs)
        }
        text.append(collection.isDictionary ? UInt8(ascii: "{") : UInt8(ascii: "["))
        frames.append(frame)
    }

    private mutating func leave(_ frame: Frame, isEmpty: Bool) {
        frames.removeAll(from: frames.count &- 1)
        if frame.pairs >= 0 { pairLists.removeLast() }
        if options.pretty, !isEmpty { breakLine() }
        text.append(frame.collection.isDictionary ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    /// The pairs of a dictionary, including inherited ones, sorted by their
    /// keys' text if requested.
    private mutating func pairs(
        of dictionary: RawCollection, _ keys: SharedKeys
    ) throws -> [RawPairs.Pair] {
        let level = try WalkLevel(
            dictionary: dictionary, offset: dictionary.start, mergedPairs: &mergedPairs)
        guard options.canonical else {
            if case .merged(let pairs) = level.items { return pairs }
            return Array(RawPairs(dictionary))
        }
        mergedPairs += dictionary.count
        guard mergedPairs <= FleeceLimits.mergedPairs else {
            throw FleeceError(
                .outOfRange, "too many pairs to sort", offset: dictionary.start)
        }
        return RawPairs(dictionary).sorted { left, right in
            guard let left = keys.text(of: left.key), let right = keys.text(of: right.key) else {
                return false
            }
            return compare(left, right) < 0
        }
    }

    @inline(__always)
    private mutating func beginItem(isFirst: Bool) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        if options.pretty { breakLine() }
    }

    @inline(__always)
    private mutating func appendColon() {
        text.append(UInt8(ascii: ":"))
        if options.pretty { text.append(UInt8(ascii: " ")) }
    }

    private mutating func breakLine() {
        text.append(UInt8(ascii: "\n"))
        for _ in 0..<frames.count { text.append(word: "  ") }
    }
}

extension JSONWalk {
    @inline(__always)
    private mutating func writeString(_ value: RawValue) throws {
        guard let string = value.string else { throw corrupt(value, "a string") }
        try requireSpace(string.count)
        guard text.append(quoted: string) || UTF8Validation.firstInvalid(in: string) == nil
        else { throw corrupt(value, "a string's UTF-8") }
    }

    @inline(__always)
    private mutating func writeKey(
        _ key: RawCollection.Key?, _ keys: SharedKeys, offset: Int
    ) throws {
        let name = try keys.requireText(of: key, offset: offset)
        try requireSpace(name.count)
        guard text.append(quoted: name) || UTF8Validation.firstInvalid(in: name) == nil else {
            throw FleeceError(.invalidData, "a key's UTF-8 is corrupt", offset: offset)
        }
        appendColon()
    }

    private mutating func writeScalar(_ value: RawValue) throws {
        switch value.tag {
        case FleeceTag.shortInteger, FleeceTag.integer:
            guard let integer = value.integer else { throw corrupt(value, "an integer") }
            if integer.isUnsigned {
                text.append(UInt64(bitPattern: integer.bits))
            } else {
                text.append(integer.bits)
            }
        case FleeceTag.float: try writeFloatingPoint(value)
        case FleeceTag.special: try writeSpecial(value)
        case FleeceTag.data: try writeData(value)
        default: throw corrupt(value, "a value")
        }
    }

    private mutating func writeFloatingPoint(_ value: RawValue) throws {
        guard let (number, isSingle) = value.floatingPoint else {
            throw corrupt(value, "a floating-point number")
        }
        guard number.isFinite else { return try writeUnrepresentable("\(number)") }
        if isSingle {
            text.append(verbatim: Float(number).description)
        } else {
            text.append(number)
        }
    }

    private mutating func writeSpecial(_ value: RawValue) throws {
        switch value.byte(0) {
        case FleeceSpecial.true: text.append(word: "true")
        case FleeceSpecial.false: text.append(word: "false")
        case FleeceSpecial.undefined: try writeUnrepresentable("undefined")
        default: text.append(word: "null")
        }
    }

    private mutating func writeUnrepresentable(_ what: String) throws {
        guard options.nullForUnrepresentable else {
            throw FleeceError(.invalidData, "JSON has no \(what)")
        }
        text.append(word: "null")
    }

    private mutating func writeData(_ value: RawValue) throws {
        guard let data = value.bytes(tag: FleeceTag.data) else { throw corrupt(value, "data") }
        try requireSpace(data.count)
        text.append(UInt8(ascii: "\""))
        Base64.encode(data) { text.append($0) }
        text.append(UInt8(ascii: "\""))
    }

    @inline(never)
    private func corrupt(_ value: RawValue?, _ what: String) -> FleeceError {
        FleeceError(.invalidData, "\(what) is corrupt", offset: value?.offset)
    }
}
