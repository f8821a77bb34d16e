/// A dictionary that can be changed, new or on top of one in a document.
///
/// ```swift
/// var person = MutableFleeceDictionary(document.root.dictionary ?? …)
/// person["name"] = "Ada"
/// person["address"]["city"] = "London"
/// person["age"] = nil
/// ```
/// It keeps only what has been changed; the rest is read from the source. A property that is
/// `undefined` counts as none.
public struct MutableFleeceDictionary: Sendable {
    /// The dictionary it was made from.
    public let source: FleeceDictionary?
    /// New values, and nil for properties of the source that have been removed.
    private(set) var changes: [PropertyKey: MutableFleeceValue?] = [:]
    /// How many more properties there are than in the source.
    private var added = 0
    /// Whether `removeAll()` has removed something, which is then in neither of these.
    private var isEmptied = false

    /// An empty dictionary.
    public init() {
        source = nil
    }

    /// A dictionary with what is in another, O(1).
    public init(_ source: FleeceDictionary) {
        self.source = source
    }

    /// A dictionary of these pairs; of equal keys the last one wins.
    public init(_ pairs: some Sequence<(String, MutableFleeceValue)>) {
        source = nil
        changes.reserveCapacity(pairs.underestimatedCount)
        for (key, value) in pairs {
            if value.kind == .undefined {
                changes[PropertyKey(key)] = nil
            } else {
                changes.updateValue(value, forKey: PropertyKey(key))
            }
        }
        added = changes.count
    }

    /// A dictionary from JSON, which must be an object. Throws `.jsonError`.
    public init(json: String) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        guard let dictionary = try FleeceDocument(trusted: encoder.finish()).root.dictionary else {
            throw FleeceError(.jsonError, "an object is expected", offset: 0)
        }
        self.init(dictionary)
    }

    /// Whether a property has been set or removed, or one of a collection in it.
    public var isChanged: Bool { isEmptied || !changes.isEmpty }

    /// The number of properties; O(n) if there is a source.
    public var count: Int { added + (source?.propertyCount ?? 0) }

    /// Whether it has no properties.
    public var isEmpty: Bool {
        if source == nil { added == 0 } else { count == 0 }
    }

    /// The value of a key, nil if there is none; setting nil removes it.
    ///
    /// What is set can be changed in place, as in `dictionary["a"]?.array?.append(1)`.
    public subscript(key: String) -> MutableFleeceValue? {
        get {
            if let change = changes[PropertyKey(key)] { return change }
            return source?.property(key).map { .value($0) }
        }
        set {
            let key = PropertyKey(key)
            let original = source?.property(key.text)
            put(newValue, at: key, original, wasThere: has(key, original))
        }
        _modify {
            let key = PropertyKey(key)
            let original = source?.property(key.text)
            let wasThere = has(key, original)
            var value = take(key, original)
            defer { put(value, at: key, original, wasThere: wasThere) }
            yield &value
        }
    }

    /// Removes all properties, and the source.
    public mutating func removeAll() {
        let isEmptied = isChanged || !isEmpty
        self = MutableFleeceDictionary()
        self.isEmptied = isEmptied
    }
}

extension MutableFleeceDictionary {
    /// Whether there is a property, given the source's.
    private func has(_ key: PropertyKey, _ original: FleeceValue?) -> Bool {
        guard !changes.isEmpty, let change = changes[key] else { return original != nil }
        return change != nil
    }

    /// A property's value, which then has no second owner here.
    private mutating func take(
        _ key: PropertyKey, _ original: FleeceValue?
    ) -> MutableFleeceValue? {
        guard !changes.isEmpty, let place = changes.index(forKey: key) else {
            return original.map { .value($0) }
        }
        let value = changes.values[place]
        changes.values[place] = nil
        return value
    }

    private mutating func put(
        _ value: MutableFleeceValue?, at key: PropertyKey, _ original: FleeceValue?,
        wasThere: Bool
    ) {
        var isThere = true
        switch value {
        case let value? where value.unchanged?.isSame(as: original) == true: changes[key] = nil
        case let value? where value.kind != .undefined: changes.updateValue(value, forKey: key)
        default:
            isThere = false
            if original == nil { changes[key] = nil } else { changes.updateValue(nil, forKey: key) }
        }
        added += (isThere ? 1 : 0) - (wasThere ? 1 : 0)
    }
}

extension MutableFleeceDictionary: Sequence {
    /// A key and its value.
    public typealias Element = (key: String, value: MutableFleeceValue)

    /// The keys in the order of iteration.
    public var keys: [String] { map(\.key) }

    /// The properties in the format's order: keys that the source's table of shared keys has by
    /// their numbers, then the others by their bytes.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Goes from property to property.
    public struct Iterator: IteratorProtocol {
        private var merge: PropertyMerge?
        private var properties: IndexingIterator<[Element]>

        init(_ dictionary: MutableFleeceDictionary) {
            merge = PropertyMerge(dictionary)
            properties = (merge == nil ? dictionary.properties : []).makeIterator()
        }

        /// The next property; nil after the last one.
        public mutating func next() -> Element? {
            merge == nil ? properties.next() : merge?.nextProperty()
        }
    }

    /// The properties where `PropertyMerge` cannot be used.
    var properties: [Element] {
        guard let source else { return newProperties }
        var pairs: [Element] = []
        for key in source.keysOfProperties where changes[PropertyKey(key)] == nil {
            if let value = source.property(key) { pairs.append((key, .value(value))) }
        }
        for case (let key, let value?) in changes { pairs.append((key.text, value)) }
        return changes.isEmpty ? pairs : sorted(pairs, key: \.key)
    }

    /// The properties where there is no source. Keys are sorted, not values, which are large.
    private var newProperties: [Element] {
        var places = changes.indices.map { (key: changes.keys[$0].text, place: $0) }
        places.sort { PropertyKey.precedes($0.key, $1.key) }
        var pairs: [Element] = []
        pairs.reserveCapacity(places.count)
        for (key, place) in places {
            if let value = changes.values[place] { pairs.append((key, value)) }
        }
        return pairs
    }

    /// What has been set, and nil for what has been removed, in the order of iteration.
    var changedProperties: [(key: String, value: MutableFleeceValue?)] {
        sorted(changes.map { ($0.key.text, $0.value) }, key: \.key)
    }

    private func sorted<Pair>(_ pairs: [Pair], key: (Pair) -> String) -> [Pair] {
        let table = source?.document.sharedKeys
        let places = pairs.enumerated().map { index, pair in
            (key: (key(pair), number: table?.index(of: key(pair))), index: index)
        }
        return places.sorted { PropertyKey.precedes($0.key, $1.key) }.map { pairs[$0.index] }
    }
}
