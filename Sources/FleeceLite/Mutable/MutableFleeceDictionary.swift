/// A mutable dictionary, new or based on a dictionary of a document.
///
/// It is the form in which a document is changed: base it on the document's properties, set and
/// remove values, and encode or save it.
///
/// ```swift
/// var person = MutableFleeceDictionary(fleeceDictionary)
/// person["name"] = "Ada"
/// person["address"]["city"] = "London"
/// person["age"] = nil
/// ```
///
/// The subscript reads and sets values, which are ``MutableFleeceValue``s. Setting through a chain
/// of subscripts creates missing dictionaries, and replaces scalars on the way. Literals are
/// values, variables are wrapped:
///
/// ```swift
/// let count = 3
/// var order: MutableFleeceDictionary = ["items": ["pen", "ink"], "isPaid": false]
/// order["count"] = MutableFleeceValue(count)
/// order["items"]?.array?.append("paper")
/// let first = order["items"]?[0]?.string
/// ```
///
/// It stores only the changes; everything else is read from the source. A property that is
/// `undefined` counts as missing. Copies are independent of each other.
///
/// **Cost.** Creating it takes constant time. Up to 12 changes are searched linearly, more with a
/// hash table. Iteration merges the changes with the source.
///
/// To write it, use `write(_:)` of a ``FleeceEncoder``: after
/// ``FleeceEncoder/amend(_:reusingStrings:externPointers:reach:)``, only the changes are written.
/// See <doc:MutableValues>.
public struct MutableFleeceDictionary: Sendable {
    /// The dictionary on which it is based; nil for a new one, and after ``removeAll()``.
    public let source: FleeceDictionary?
    /// New values, and nil for removed properties of the source.
    private(set) var changes = PropertyTable()
    /// The difference between the number of properties and the source's.
    private var added = 0
    /// Whether `removeAll()` has removed something, which is then neither in
    /// the changes nor the source.
    private var isEmptied = false

    /// Creates an empty dictionary.
    public init() {
        source = nil
    }

    /// Creates a dictionary based on another one. O(1).
    ///
    /// - Parameter source: a dictionary of a document, which is retained.
    public init(_ source: FleeceDictionary) {
        self.source = source
    }

    /// Creates a dictionary of pairs; of equal keys the last one wins.
    ///
    /// ```swift
    /// let lengths = MutableFleeceDictionary(["pen", "ink"].map { ($0, .init($0.count)) })
    /// ```
    /// - Parameter pairs: the keys and values, in any order.
    @inlinable
    public init(_ pairs: some Sequence<(String, MutableFleeceValue)>) {
        self.init(list: Array(pairs))
    }

    @usableFromInline
    init(list pairs: [(String, MutableFleeceValue)]) {
        source = nil
        changes.reserve(pairs.count)
        for (key, value) in pairs {
            let position = changes.position(of: key)
            if value.kind == .undefined {
                if let position { changes.remove(at: position) }
            } else if let position {
                changes.set(value, at: position)
            } else {
                changes.append(key, value)
            }
        }
        added = changes.count
    }

    /// Creates a dictionary from JSON, which must be an object.
    ///
    /// ```swift
    /// var settings = try MutableFleeceDictionary(json: #"{"retries": 3}"#)
    /// settings["hosts"] = ["a.example", "b.example"]
    /// ```
    /// - Parameter json: strict JSON (RFC 8259).
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error, also if the JSON
    ///   is an array.
    public init(json: String) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        guard let dictionary = try FleeceDocument(trusted: encoder.finish()).root.dictionary else {
            throw FleeceError(.jsonError, "an object is expected", offset: 0)
        }
        self.init(dictionary)
    }

    /// Whether a property has been set or removed, here or in a nested collection.
    ///
    /// A property that is set back to the source's own value is not a change. A new dictionary with
    /// properties counts as changed.
    public var isChanged: Bool { isEmptied || !changes.isEmpty }

    /// The number of properties; O(n) if there is a source.
    public var count: Int { added + (source?.propertyCount ?? 0) }

    /// Whether it has no properties; as expensive as ``count`` if there is a source.
    public var isEmpty: Bool {
        if source == nil { added == 0 } else { count == 0 }
    }

    /// The value of a key; nil if there is none. Setting nil removes the property.
    ///
    /// The value can be modified in place, as in `dictionary["a"]?.array?.append(1)`. To store
    /// JSON's null, set ``MutableFleeceValue/null``. Keys are equal if their UTF-8 is.
    ///
    /// - Parameter key: any string.
    public subscript(key: String) -> MutableFleeceValue? {
        get {
            if let position = changes.position(of: key) {
                return changes.properties[position].value
            }
            return source?.property(key).map { .value($0) }
        }
        set {
            var change = PropertyChange(key, in: self)
            change.value = newValue
            put(change)
        }
        _modify {
            var change = PropertyChange(key, in: self)
            change.value =
                change.position.map { changes.take($0) } ?? change.original.map { .value($0) }
            defer { put(change) }
            yield &change.value
        }
    }

    /// Removes all properties, and the reference to the source.
    public mutating func removeAll() {
        let isEmptied = isChanged || !isEmpty
        self = MutableFleeceDictionary()
        self.isEmptied = isEmptied
    }
}

/// The state of setting a property.
private struct PropertyChange {
    let key: String
    /// The index of the property in the changes so far.
    let position: Int?
    /// The value in the source.
    let original: FleeceValue?
    let wasThere: Bool
    /// The new value.
    var value: MutableFleeceValue?

    init(_ key: String, in dictionary: borrowing MutableFleeceDictionary) {
        self.key = key
        position = dictionary.changes.position(of: key)
        original = dictionary.source?.property(key)
        wasThere =
            position.map { dictionary.changes.properties[$0].value != nil } ?? (original != nil)
    }
}

extension MutableFleeceDictionary {
    private mutating func put(_ change: PropertyChange) {
        var isThere = true
        switch change.value {
        case let value? where value.unchanged?.isSame(as: change.original) == true: forget(change)
        case let value? where value.kind != .undefined: keep(value, change)
        default:
            isThere = false
            if change.original == nil { forget(change) } else { keep(nil, change) }
        }
        added += (isThere ? 1 : 0) - (change.wasThere ? 1 : 0)
    }

    private mutating func keep(_ value: MutableFleeceValue?, _ change: PropertyChange) {
        if let position = change.position {
            changes.set(value, at: position)
        } else {
            changes.append(change.key, value)
        }
    }

    private mutating func forget(_ change: PropertyChange) {
        if let position = change.position { changes.remove(at: position) }
    }
}

extension MutableFleeceDictionary: Sequence {
    /// A key and its value, as iteration yields them.
    public typealias Element = (key: String, value: MutableFleeceValue)

    /// The keys in the order of iteration. Each call creates a new array.
    public var keys: [String] { map(\.key) }

    /// Returns an iterator over the properties in the format's order: keys that have numbers in the
    /// source's table of shared keys by these numbers, then the others by their bytes.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over the properties of a dictionary, those of the source merged with the changes.
    public struct Iterator: IteratorProtocol {
        private var merge: PropertyMerge?
        private var properties: IndexingIterator<[Element]>

        init(_ dictionary: MutableFleeceDictionary) {
            merge = PropertyMerge(dictionary)
            properties = (merge == nil ? dictionary.properties : []).makeIterator()
        }

        /// Returns the next property; nil after the last one.
        public mutating func next() -> Element? {
            merge == nil ? properties.next() : merge?.nextProperty()
        }
    }

    /// The properties if `PropertyMerge` cannot be used.
    var properties: [Element] {
        guard let source else { return newProperties }
        var pairs: [Element] = []
        for key in source.keysOfProperties where changes.position(of: key) == nil {
            if let value = source.property(key) { pairs.append((key, .value(value))) }
        }
        for property in changes.properties {
            if let value = property.value { pairs.append((property.key, value)) }
        }
        return changes.isEmpty ? pairs : sorted(pairs, key: \.key)
    }

    private var newProperties: [Element] {
        changes.order.compactMap { position in
            let property = changes.properties[position]
            return property.value.map { (property.key, $0) }
        }
    }

    /// The properties that have been set, and nil for removed ones, in the order of iteration.
    var changedProperties: [(key: String, value: MutableFleeceValue?)] {
        sorted(changes.properties.map { ($0.key, $0.value) }, key: \.key)
    }

    private func sorted<Pair>(_ pairs: [Pair], key: (Pair) -> String) -> [Pair] {
        let table = source?.document.sharedKeys
        let positions = pairs.enumerated().map { index, pair in
            (key: (key(pair), number: table?.index(of: key(pair))), index: index)
        }
        return positions.sorted { PropertyKey.precedes($0.key, $1.key) }.map { pairs[$0.index] }
    }
}
