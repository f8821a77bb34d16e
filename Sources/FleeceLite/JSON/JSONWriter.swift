/// Writes Fleece values as JSON, compact or indented, in stored order or in
/// the order of their keys.
public struct JSONWriter: Sendable {
    /// Formatting options and limits.
    public struct Options: Sendable {
        /// Writes a line for each element and property, indented by two spaces
        /// per level (default: false).
        public var pretty = false
        /// Writes properties in the order of their keys' bytes, so that equal values have equal
        /// text however their keys are numbered (default: false).
        public var canonical = false
        /// Writes `null` for infinity, NaN and `undefined`, which JSON lacks (default: true); if
        /// false, they are errors.
        public var nullForUnrepresentable = true
        /// The maximum number of bytes written for one value (default: 64 MiB): a small document
        /// that refers to its parts repeatedly can stand for a very large one.
        public var maximumBytes = 1 << 26

        /// Creates options; the defaults are compact output, `null` for
        /// what JSON lacks, and 64 MiB.
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

    /// The JSON written so far.
    public var text = JSONText()
    let options: Options

    /// Creates a writer with an empty text.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Appends a value.
    ///
    /// Throws `.invalidData` if the value's bytes are corrupt, `.outOfRange` beyond `maximumBytes`
    /// or `FleeceLimits.walkDepth`; `text` is then unchanged.
    public mutating func write(_ value: FleeceValue) throws {
        var walk = JSONWalk(options: options)
        try walk.write(value.raw, keys: value.document.sharedKeys)
        text.utf8.append(contentsOf: walk.text.contents)
    }

    /// Appends an object with `properties`, each a key and JSON that is already written, followed
    /// by the properties of `dictionary`.
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

    /// Appends a line feed, so that the next value begins a new line: newline-delimited JSON.
    public mutating func nextDocument() {
        text.append("\n")
    }
}

extension FleeceValue {
    /// Returns the value as JSON.
    ///
    /// - Parameter options: the format and its limits; by default, compact JSON with `null` for
    ///   values that JSON lacks.
    ///
    /// Throws as ``JSONWriter/write(_:)`` does. To write many values, use one ``JSONWriter``.
    public func json(_ options: JSONWriter.Options = JSONWriter.Options()) throws -> String {
        var writer = JSONWriter(options: options)
        try writer.write(self)
        return writer.text.string
    }
}

extension UnsafeFleeceValue {
    /// Returns a negative number, zero or a positive number if this value sorts before, is equal to
    /// or sorts after another one, in the order of `FleeceValue`.
    package func order(_ other: UnsafeFleeceValue) -> Int {
        // A document may refer to one value many times.
        if raw.base + raw.offset == other.raw.base + other.raw.offset { return 0 }
        var comparison = ValueComparison(.init(self), .init(other))
        return comparison.compare(raw, other.raw)
    }

    /// The order of two strings or byte sequences: by their bytes, then the shorter first.
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

    /// Appends the value as compact JSON of at most `maximumBytes` bytes.
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
