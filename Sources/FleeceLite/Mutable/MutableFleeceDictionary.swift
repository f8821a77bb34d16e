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
    /// New values, and none for properties of the source that have been removed.
    private(set) var changes = PropertyTable()
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
    @inlinable
    public init(_ pairs: some Sequence<(String, MutableFleeceValue)>) {
        self.init(list: Array(pairs))
    }

    @usableFromInline
    init(list pairs: [(String, MutableFleeceValue)]) {
        source = nil
        changes.reserve(pairs.count)
        for (key, value) in pairs {
            let place = changes.place(of: key)
            if value.kind == .undefined {
                if let place { changes.remove(at: place) }
            } else if let place {
                changes.set(value, at: place)
            } else {
                changes.append(key, value)
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
            if let place = changes.place(of: key) { return changes.properties[place].value }
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
                change.place.map { changes.take($0) } ?? change.original.map { .value($0) }
            defer { put(change) }
            yield &change.value
        }
    }

    /// Removes all properties, and the source.
    public mutating func removeAll() {
        let isEmptied = isChanged || !isEmpty
        self = MutableFleeceDictionary()
        self.isEmptied = isEmptied
    }
}

/// The setting of a property, from before to after it.
private struct PropertyChange {
    let key: String
    /// Where it stands among the changes so far.
    let place: Int?
    /// The source's value.
    let original: FleeceValue?
    let wasThere: Bool
    /// The new value.
    var value: MutableFleeceValue?

    init(_ key: String, in dictionary: borrowing MutableFleeceDictionary) {
        self.key = key
        place = dictionary.changes.place(of: key)
        original = dictionary.source?.property(key)
        wasThere = place.map { dictionary.changes.properties[$0].value != nil } ?? (original != nil)
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
        if let place = change.place {
            changes.set(value, at: place)
        } else {
            changes.append(change.key, value)
        }
    }

    private mutating func forget(_ change: PropertyChange) {
        if let place = change.place { changes.remove(at: place) }
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
        for key in source.keysOfProperties where changes.place(of: key) == nil {
            if let value = source.property(key) { pairs.append((key, .value(value))) }
        }
        for property in changes.properties {
            if let value = property.value { pairs.append((property.key, value)) }
        }
        return changes.isEmpty ? pairs : sorted(pairs, key: \.key)
    }

    private var newProperties: [Element] {
        changes.order.compactMap { place in
            let property = changes.properties[place]
            return property.value.map { (property.key, $0) }
        }
    }

    /// What has been set, and nil for what has been removed, in the order of iteration.
    var changedProperties: [(key: String, value: MutableFleeceValue?)] {
        sorted(changes.properties.map { ($0.key, $0.value) }, key: \.key)
    }

    private func sorted<Pair>(_ pairs: [Pair], key: (Pair) -> String) -> [Pair] {
        let table = source?.document.sharedKeys
        let places = pairs.enumerated().map { index, pair in
            (key: (key(pair), number: table?.index(of: key(pair))), index: index)
        }
        return places.sorted { PropertyKey.precedes($0.key, $1.key) }.map { pairs[$0.index] }
    }
}
