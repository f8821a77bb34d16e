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
        public var maximumBytes = 1 << 26

        /// Compact, with `null` for what JSON lacks, at most 64 MiB a value.
        public init() {}
    }

    /// What has been written.
    public var text = JSONText()
    let options: Options

    /// Makes a writer with nothing written.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Appends a value.
    ///
    /// Throws `.invalidData` where the value's bytes are corrupt, `.outOfRange` beyond
    /// `maximumBytes` or `FleeceLimits.walkDepth`; `text` is then as it was before.
    public mutating func write(_ value: FleeceValue) throws {
        try walk { try $0.write(value.raw, keys: value.document.sharedKeys) }
    }

    /// Appends an object that holds `properties`, each a key and JSON that is written already,
    /// and then those of `dictionary`.
    ///
    /// Throws as `write(_:)` does.
    public mutating func write(
        _ dictionary: FleeceDictionary?, after properties: [(key: String, json: JSONText)]
    ) throws {
        try walk { walk in
            let keys = dictionary?.document.sharedKeys ?? SharedKeys()
            try walk.write(dictionary?.raw, after: properties, keys: keys)
        }
    }

    private mutating func walk(_ body: (inout JSONWalk) throws -> Void) throws {
        let start = text.utf8.count
        // The text changes hands, so that it has one owner and is not copied.
        var walk = JSONWalk(text: text, options: options)
        text = JSONText()
        defer { text = walk.text }
        do {
            try body(&walk)
            try walk.requireRoom(0)
        } catch {
            walk.text.utf8.removeSubrange(start...)
            throw error
        }
    }
}
