/// Writes Fleece values as JSON, compact or indented, in stored order or in the order of their
/// keys.
///
/// For a single value, ``FleeceValue/json(_:)`` is shorter. A writer appends any number of values
/// to one text, for example as newline-delimited JSON:
///
/// ```swift
/// var writer = JSONWriter()
/// for person in fleeceArray {
///     try writer.write(person)
///     writer.nextDocument()
/// }
/// let lines = writer.text.string
/// ```
///
/// Numbers are written in their original form: a double retains its decimal point. Data becomes a
/// Base64 string. Infinity, NaN and `undefined` become `null` or are an error; see ``Options``.
///
/// Canonical JSON does not depend on the shared keys, so that it can be compared or hashed:
///
/// ```swift
/// let options = JSONWriter.Options(canonical: true, nullForUnrepresentable: false)
/// let isSame = try oldFleece.root.json(options) == newFleece.root.json(options)
/// ```
///
/// See <doc:JSONInAndOut>.
public struct JSONWriter: Sendable {
    /// Formatting options and limits.
    public struct Options: Sendable {
        /// Writes a line for each element and property, indented by two spaces per level (default:
        /// false).
        public var pretty = false
        /// Writes properties in the order of their keys' bytes, so that equal values have equal
        /// text however their keys are numbered (default: false).
        ///
        /// Without it, properties are in stored order, which depends on the table of shared keys.
        /// Sorting costs time in dictionaries with numeric keys.
        public var canonical = false
        /// Writes `null` for infinity, NaN and `undefined`, which JSON lacks (default: true); if
        /// false, they are errors.
        public var nullForUnrepresentable = true
        /// The maximum number of bytes written for one value (default: 64 MiB): a small document
        /// that refers to its parts repeatedly can stand for a very large one.
        ///
        /// Beyond it, writing throws ``FleeceError/Code/outOfRange``.
        public var maximumBytes = 1 << 26

        /// Creates options; the defaults are compact output, `null` for what JSON lacks, and 64
        /// MiB.
        ///
        /// ```swift
        /// let text = try fleece.root.json(.init(pretty: true, canonical: true))
        /// ```
        ///
        /// - Parameters:
        ///   - pretty: whether to write a line for each element and property.
        ///   - canonical: whether to write properties in the order of their keys.
        ///   - nullForUnrepresentable: whether to write `null` for what JSON lacks.
        ///   - maximumBytes: the maximum number of bytes for one value.
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

    /// The JSON written so far. Take ``JSONText/utf8`` to write it to a file.
    ///
    /// Assign an empty text to reuse the writer.
    public var text = JSONText()
    let options: Options

    /// Creates a writer with an empty text.
    ///
    /// - Parameter options: the format and its limits; by default, compact JSON in stored order.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Appends a value.
    ///
    /// - Parameter value: a value of any kind and any document.
    /// - Throws: ``FleeceError/Code/invalidData`` if the value's bytes are corrupt or contain a
    ///   value that JSON lacks and ``Options/nullForUnrepresentable`` is false,
    ///   ``FleeceError/Code/outOfRange`` beyond ``Options/maximumBytes`` or
    ///   ``FleeceLimits/walkDepth``; ``text`` is then unchanged.
    public mutating func write(_ value: FleeceValue) throws {
        var walk = JSONWalk(options: options)
        try walk.write(value.raw, keys: value.document.sharedKeys)
        text.utf8.append(contentsOf: walk.text.contents)
    }

    /// Appends an object with `properties`, each a key and JSON that is already written, followed
    /// by the properties of `dictionary`.
    ///
    /// It adds metadata to a body without an intermediate document:
    ///
    /// ```swift
    /// var id = JSONText()
    /// id.append(quoted: document.id)
    /// var writer = JSONWriter()
    /// try writer.write(document.properties, after: [(key: "_id", json: id)])
    /// ```
    ///
    /// - Parameters:
    ///   - dictionary: the dictionary whose properties follow; nil for none.
    ///   - properties: the first properties, in this order also in canonical JSON. Equal keys of
    ///     `dictionary` are written again.
    /// - Throws: as ``write(_:)`` does.
    public mutating func write(
        _ dictionary: FleeceDictionary?, after properties: [(key: String, json: JSONText)]
    ) throws {
        let keys = dictionary?.document.sharedKeys ?? SharedKeys()
        var walk = JSONWalk(options: options)
        try walk.write(dictionary?.raw, after: properties, keys: keys)
        text.utf8.append(contentsOf: walk.text.contents)
    }

    /// Appends a line feed, so that the next value begins a new line: newline-delimited JSON.
    ///
    /// Do not combine it with ``Options/pretty``, which writes line feeds inside a value.
    public mutating func nextDocument() {
        text.append("\n")
    }
}

extension FleeceValue {
    /// Returns the value as JSON.
    ///
    /// ```swift
    /// let compact = try fleece.root.json()
    /// let pretty = try fleece.root["address"]?.json(.init(pretty: true))
    /// ```
    ///
    /// - Parameter options: the format and its limits; by default, compact JSON with `null` for
    ///   values that JSON lacks.
    /// - Returns: the JSON. The ``description`` of a value is similar, but of limited length and
    ///   never fails.
    /// - Throws: as ``JSONWriter/write(_:)`` does. To write many values, use one ``JSONWriter``.
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
