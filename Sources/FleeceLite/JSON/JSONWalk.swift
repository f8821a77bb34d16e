/// The writing of one value: a loop over the open collections, since a stack may be small.
struct JSONWalk {
    var text: JSONText
    let options: JSONWriter.Options
    /// The collections that are being written, the innermost last.
    private(set) var levels: [WalkLevel] = []
    /// Whether nothing has been written before the next item of the innermost collection.
    private var isFirst = true
    /// Where the text of the value begins.
    private let start: Int
    /// Inherited pairs that have been merged, work that may give no text.
    private var mergedPairs = 0

    init(text: JSONText, options: JSONWriter.Options) {
        self.text = text
        self.options = options
        start = text.utf8.count
    }

    /// Appends a value.
    mutating func write(_ value: RawValue, keys: SharedKeys) throws {
        try begin(value)
        try writeLevels(keys: keys)
    }

    /// Appends an object of properties that are written already and those of a dictionary.
    mutating func write(
        _ dictionary: RawCollection?, after properties: [(key: String, json: JSONText)],
        keys: SharedKeys
    ) throws {
        let level = try dictionary.map {
            try WalkLevel(dictionary: $0, offset: $0.start, mergedPairs: &mergedPairs)
        }
        text.append("{")
        levels.append(level ?? WalkLevel(offset: 0))
        isFirst = properties.isEmpty
        for (index, property) in properties.enumerated() {
            beginItem(isFirst: index == 0)
            text.append(quoted: property.key)
            appendColon()
            text.utf8.append(contentsOf: property.json.utf8)
        }
        try writeLevels(keys: keys)
    }
}

extension JSONWalk {
    /// Writes what is left of the open collections.
    private mutating func writeLevels(keys: SharedKeys) throws {
        while let level = levels.last {
            let innermost = levels.count - 1
            guard level.next < level.count else {
                levels.removeLast()
                leave(level.isArray ? "]" : "}", isEmpty: isFirst)
                isFirst = false
                continue
            }
            levels[innermost].next += 1
            beginItem(isFirst: isFirst)
            isFirst = false
            switch level.items {
            case .array(let array):
                try begin(array.slot(level.next))
            case .dictionary(let dictionary):
                try writeKey(dictionary.key(level.next), keys, offset: level.offset)
                try begin(dictionary.slot(2 * level.next + 1))
            case .merged(let pairs):
                try writeKey(pairs[level.next].key, keys, offset: level.offset)
                try begin(pairs[level.next].value)
            }
        }
    }

    /// Writes a scalar, or opens a collection.
    private mutating func begin(_ value: RawValue?) throws {
        guard let value, value.has(2) else { throw corrupt(value, "a value") }
        try requireRoom(1)
        switch value.tag {
        case FleeceTag.array:
            guard let array = value.array else { throw corrupt(value, "an array") }
            try enter(WalkLevel(array: array, offset: value.offset))
        case FleeceTag.dictionary:
            guard let dictionary = value.dictionary else { throw corrupt(value, "a dictionary") }
            try enter(
                WalkLevel(
                    dictionary: dictionary, offset: value.offset, mergedPairs: &mergedPairs))
        default: try writeScalar(value)
        }
    }

    private mutating func enter(_ level: WalkLevel) throws {
        guard levels.count < FleeceLimits.walkDepth else {
            throw FleeceError(
                .outOfRange, "over \(FleeceLimits.walkDepth) levels of nesting",
                offset: level.offset)
        }
        text.append(level.isArray ? "[" : "{")
        levels.append(level)
        isFirst = true
    }

    /// Checks that `bytes` more may be written.
    func requireRoom(_ bytes: Int) throws {
        guard text.utf8.count - start + bytes <= options.maximumBytes else {
            throw FleeceError(.outOfRange, "over \(options.maximumBytes) bytes of JSON")
        }
    }

    func corrupt(_ value: RawValue?, _ what: String) -> FleeceError {
        FleeceError(.invalidData, "\(what) is corrupt", offset: value?.offset)
    }
}
