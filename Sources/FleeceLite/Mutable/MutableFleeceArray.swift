/// An array that can be changed, new or on top of one in a document.
///
/// ```swift
/// var tags = MutableFleeceArray(document.root["tags"]?.array ?? …)
/// tags.append("new")
/// tags[0]["name"] = "first"
/// tags.remove(at: 1)
/// ```
/// The first change makes a list of the source's elements, which are themselves not copied.
public struct MutableFleeceArray: Sendable {
    /// The array it was made from.
    public let source: FleeceArray?
    /// The elements, once anything has changed.
    private(set) var elements: [MutableFleeceValue] = []
    /// Whether an element has been set, inserted or removed, or a collection in it changed.
    public private(set) var isChanged = false

    /// An empty array.
    public init() {
        source = nil
    }

    /// An array with what is in another, O(1).
    public init(_ source: FleeceArray) {
        self.source = source
    }

    /// An array of these elements.
    @inlinable
    public init(_ elements: some Sequence<MutableFleeceValue>) {
        self.init(list: Array(elements))
    }

    @usableFromInline
    init(list elements: [MutableFleeceValue]) {
        source = nil
        self.elements = elements
        isChanged = true
    }

    /// An array from JSON, which must be one. Throws `.jsonError`.
    public init(json: String) throws {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(json)
        guard let array = try FleeceDocument(trusted: encoder.finish()).root.array else {
            throw FleeceError(.jsonError, "an array is expected", offset: 0)
        }
        self.init(array)
    }
}

extension MutableFleeceArray: RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection
{
    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int { isChanged ? elements.count : source?.count ?? 0 }

    /// An element, which can be changed in place. Traps outside `0..<count`.
    public subscript(index: Int) -> MutableFleeceValue {
        get {
            guard !isChanged, let source else { return elements[index] }
            return .value(source[index])
        }
        _modify {
            list()
            yield &elements[index]
        }
    }

    /// Puts other elements in the place of some. Traps if the range is not within `0...count`.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with newElements: some Collection<MutableFleeceValue>
    ) {
        if range.isEmpty, newElements.isEmpty { return }
        list()
        elements.replaceSubrange(range, with: newElements)
    }

    /// Removes all elements.
    public mutating func removeAll(keepingCapacity: Bool = false) {
        // Not by a new array, as without this: that would not be a changed one.
        if isEmpty { return }
        elements.removeAll(keepingCapacity: keepingCapacity)
        isChanged = true
    }

    /// Adds an element at the end.
    public mutating func append(_ element: MutableFleeceValue) {
        list()
        elements.append(element)
    }

    /// An element, nil if there is none; a negative index counts from the end.
    ///
    /// Setting nil removes the element; nothing is set outside the array.
    public subscript(at index: Int) -> MutableFleeceValue? {
        get { place(of: index).map { self[$0] } }
        _modify {
            var element = take(at: index)
            defer { put(element, at: index) }
            yield &element
        }
    }
}

extension MutableFleeceArray {
    /// Makes the list of elements, unless it is there.
    private mutating func list() {
        if !isChanged, let source { elements = source.map { .value($0) } }
        isChanged = true
    }

    private func place(of index: Int) -> Int? {
        let place = index < 0 ? index &+ count : index
        return indices.contains(place) ? place : nil
    }

    /// An element, which then has no second owner here.
    mutating func take(at index: Int) -> MutableFleeceValue? {
        guard let place = place(of: index) else { return nil }
        let element = self[place]
        if isChanged { elements[place] = .null }
        return element
    }

    mutating func put(_ element: MutableFleeceValue?, at index: Int) {
        guard let place = place(of: index) else { return }
        if let element {
            if !isChanged, element.unchanged?.isSame(as: source?[place]) == true { return }
            self[place] = element
        } else {
            remove(at: place)
        }
    }
}

extension FleeceEncoder {
    /// Writes a value that a program made or changed.
    ///
    /// Integers of 3 and 4 bytes go into the slots of their collection, as when a value of a
    /// document is copied: the bytes are the reference's. What lies in the encoder's base and has
    /// not been changed is pointed to, and a dictionary of the base with few changes becomes one
    /// that inherits from it.
    ///
    /// Throws `.outOfRange` beyond `FleeceLimits.walkDepth` levels, and if small documents stand
    /// for values of more than 16 MiB and 16 times their size; `.invalidData` for NaN and for
    /// corrupt values of a document. The encoder then has to be `reset()`.
    public mutating func write(_ value: MutableFleeceValue) throws {
        var walk = MutableWalk()
        try walk.begin(value, &self)
        while try walk.step(&self) {}
    }

    /// Writes a dictionary that a program made or changed; see `write(_:)` of a value.
    @_disfavoredOverload  // A literal is a value, rather than this.
    public mutating func write(_ dictionary: MutableFleeceDictionary) throws {
        try write(.dictionary(dictionary))
    }

    /// Writes an array that a program made or changed; see `write(_:)` of a value.
    @_disfavoredOverload
    public mutating func write(_ array: MutableFleeceArray) throws {
        try write(.array(array))
    }
}
