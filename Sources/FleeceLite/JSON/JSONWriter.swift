/// Writes Fleece values as JSON, compact or indented, in the order they are stored in or in the
/// order of their keys.
public struct JSONWriter: Sendable {
    /// How values are written.
    public struct Options: Sendable {
        /// A line for each element and property, indented by two spaces a level.
        public var pretty = false
        /// Properties in the order of their keys' bytes, so that equal values have equal text
        /// however their keys are numbered.
        public var canonical = false
        /// Infinity, NaN and `undefined`, which JSON lacks, become `null`; if false, an error.
        public var nullForUnrepresentable = true
        /// The most bytes written for one value: a small document that uses its parts again and
        /// again can stand for a very large one.
        public var maximumBytes = 1 << 26

        /// Compact, with `null` for what JSON lacks, at most 64 MiB a value, unless told otherwise.
        public init(
            pretty: Bool = false, canonical: Bool = false, nullForUnrepresentable: Bool = true,
            maximumBytes: Int = 1 << 26
        ) {
            self.pretty = pretty
            self.canonical = canonical
            self.nullForUnrepresentable = nullForUnrepresentable
            self.maximumBytes = maximumBytes
        }
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
        var walk = JSONWalk(options: options)
        try walk.write(value.raw, keys: value.document.sharedKeys)
        text.utf8.append(contentsOf: walk.text.contents)
    }

    /// Appends an object that holds `properties`, each a key and JSON that is written already,
    /// and then those of `dictionary`.
    ///
    /// Throws as `write(_:)` does.
    public mutating func write(
        _ dictionary: FleeceDictionary?, after properties: [(key: String, json: JSONText)]
    ) throws {
        let keys = dictionary?.document.sharedKeys ?? SharedKeys()
        var walk = JSONWalk(options: options)
        try walk.write(dictionary?.raw, after: properties, keys: keys)
        text.utf8.append(contentsOf: walk.text.contents)
    }

    /// Ends a line, so that the next value begins a new one: newline-delimited JSON.
    public mutating func nextDocument() {
        text.append("\n")
    }
}

extension FleeceValue {
    /// The value as JSON.
    ///
    /// Throws as `JSONWriter.write(_:)` does.
    public func json(_ options: JSONWriter.Options = JSONWriter.Options()) throws -> String {
        var writer = JSONWriter(options: options)
        try writer.write(self)
        return writer.text.string
    }
}

extension UnsafeFleeceValue {
    /// Negative, zero or positive as this value comes before, equals or comes after another, in the
    /// order of `FleeceValue`.
    package func order(_ other: UnsafeFleeceValue) -> Int {
        // A document may use a part of it many times.
        if raw.base + raw.offset == other.raw.base + other.raw.offset { return 0 }
        var comparison = ValueComparison(.init(self), .init(other))
        return comparison.compare(raw, other.raw)
    }

    /// The order of two texts or two runs of bytes: by their bytes, then the shorter first.
    package static func order(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Int {
        FleeceLite.compare(left, right)
    }

    /// The order of two numbers, which may be of different types.
    package static func order(_ left: UnsafeFleeceContent, _ right: UnsafeFleeceContent) -> Int {
        guard let left = left.number, let right = right.number else { return 0 }
        return left.compared(to: right)
    }

    /// Appends the value as compact JSON, at most `maximumBytes` of it.
    ///
    /// Throws as `JSONWriter.write(_:)` does.
    package func appendJSON(to text: inout JSONText, maximumBytes: Int) throws {
        var walk = JSONWalk(options: JSONWriter.Options(maximumBytes: maximumBytes))
        try document._withUnsafeGuaranteedRef { try walk.write(raw, keys: $0.sharedKeys) }
        text.utf8.append(contentsOf: walk.text.contents)
    }
}

extension UnsafeFleeceContent {
    fileprivate var number: FleeceNumber? {
        switch self {
        case .integer(let number): FleeceNumber(number)
        case .unsigned(let number): FleeceNumber(number)
        case .double(let number): FleeceNumber(number)
        default: nil
        }
    }
}
