/// A mutable array, new or based on an array of a document.
///
/// It is a collection like Swift's `Array`, with elements of type ``MutableFleeceValue``:
///
/// ```swift
/// var tags = MutableFleeceArray(fleeceArray)
/// tags.append("new")
/// tags[0]["name"] = "first"
/// tags.remove(at: 1)
/// ```
///
/// The subscript ``subscript(at:)`` is nil outside the array, counts negative indexes from the end,
/// and removes an element that is set to nil:
///
/// ```swift
/// var scores: MutableFleeceArray = [1, 2.5, "three"]
/// scores[at: -1] = 3
/// scores[at: 0] = nil
/// let numbers = scores.compactMap(\.double)  // [2.5, 3]
/// ```
///
/// The first change creates a list of the source's elements; the elements themselves are not
/// copied. Copies are independent of each other, and share their storage until one of them changes.
///
/// Write the array with `write(_:)` of a ``FleeceEncoder``. See <doc:MutableValues>.
public struct MutableFleeceArray: Sendable {
    /// The array on which it is based; nil for a new array.
    public let source: FleeceArray?
    /// The elements, once there is a change.
    private(set) var elements: [MutableFleeceValue] = []
    /// Whether an element has been set, inserted or removed, or a nested collection changed.
    ///
    /// A new array with elements counts as changed. Undoing a change does not reset it.
    public private(set) var isChanged = false

    /// Creates an empty array.
    public init() {
        source = nil
    }

    /// Creates an array based on another one. O(1).
    ///
    /// - Parameter source: an array of a document, which is retained.
    public init(_ source: FleeceArray) {
        self.source = source
    }

    /// Creates an array of elements.
    ///
    /// ```swift
    /// let squares = MutableFleeceArray((1...9).map { MutableFleeceValue($0 * $0) })
    /// ```
    /// - Parameter elements: the elements, in order.
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

    /// Creates an array from JSON, which must be an array.
    ///
    /// - Parameter json: strict JSON (RFC 8259).
    /// - Throws: ``FleeceError/Code/jsonError`` with the byte offset of the error, also if the JSON
    ///   is an object.
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

    /// The number of elements, which is also the `count`. It takes constant time.
    public var endIndex: Int { isChanged ? elements.count : source?.count ?? 0 }

    /// An element, which can be modified in place.
    ///
    /// - Parameter index: the position of the element.
    /// - Precondition: The index is in `0..<count`. Use ``subscript(at:)`` for an index that may be
    ///   outside.
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

    /// Replaces a range of elements. All insertions and removals of Swift's collections use it.
    ///
    /// - Parameters:
    ///   - range: the positions of the elements to replace; an empty range inserts.
    ///   - newElements: the elements that take their place; none removes the range.
    /// - Precondition: The range is within `0...count`.
    public mutating func replaceSubrange(
        _ range: Range<Int>, with newElements: some Collection<MutableFleeceValue>
    ) {
        if range.isEmpty, newElements.isEmpty { return }
        list()
        elements.replaceSubrange(range, with: newElements)
    }

    /// Removes all elements. Without elements, the array does not count as changed.
    ///
    /// - Parameter keepingCapacity: whether to retain the storage for new elements (default:
    ///   false).
    public mutating func removeAll(keepingCapacity: Bool = false) {
        // An assignment of a new array would not count as a change.
        if isEmpty { return }
        elements.removeAll(keepingCapacity: keepingCapacity)
        isChanged = true
    }

    /// Appends an element, which can be a literal.
    ///
    /// - Parameter element: the value; use ``MutableFleeceValue/value(_:)`` for one of a document.
    public mutating func append(_ element: MutableFleeceValue) {
        list()
        elements.append(element)
    }

    /// An element; nil if there is none. A negative index counts from the end.
    ///
    /// Setting nil removes the element; setting an element outside the array has no effect.
    ///
    /// - Parameter index: the position from the beginning, 0 for the first element, or from the
    ///   end, -1 for the last one.
    public subscript(at index: Int) -> MutableFleeceValue? {
        get { position(of: index).map { self[$0] } }
        _modify {
            var element = take(at: index)
            defer { put(element, at: index) }
            yield &element
        }
    }
}

extension MutableFleeceArray {
    /// Creates the list of elements if it does not exist.
    private mutating func list() {
        if !isChanged, let source { elements = source.map { .value($0) } }
        isChanged = true
    }

    private func position(of index: Int) -> Int? {
        let position = index < 0 ? index &+ count : index
        return indices.contains(position) ? position : nil
    }

    /// Removes an element from the storage, so that the caller is its only owner.
    mutating func take(at index: Int) -> MutableFleeceValue? {
        guard let position = position(of: index) else { return nil }
        let element = self[position]
        if isChanged { elements[position] = .null }
        return element
    }

    mutating func put(_ element: MutableFleeceValue?, at index: Int) {
        guard let position = position(of: index) else { return }
        if let element {
            if !isChanged, element.unchanged?.isSame(as: source?[position]) == true { return }
            self[position] = element
        } else {
            remove(at: position)
        }
    }
}

extension FleeceEncoder {
    /// Writes a mutable value, where a value is expected.
    ///
    /// ```swift
    /// var person = MutableFleeceDictionary(fleeceDictionary)
    /// person["age"] = 37
    /// var encoder = FleeceEncoder()
    /// try encoder.write(person)
    /// let bytes = try encoder.finish()
    /// ```
    ///
    /// Integers of 3 and 4 bytes go into the slots of their collection, as when a value of a
    /// document is copied: the bytes are the reference's. Unchanged values of the encoder's base
    /// are referred to by pointers, and a dictionary of the base with few changes becomes one that
    /// inherits from it.
    ///
    /// - Parameter value: the value; a literal can be passed directly.
    /// - Throws: ``FleeceError/Code/outOfRange`` beyond ``FleeceLimits/walkDepth`` levels, and if
    ///   small documents stand for values of more than 16 MiB and 16 times their size;
    ///   ``FleeceError/Code/invalidData`` for NaN and for corrupt values of a document. The encoder
    ///   must then be ``reset()``.
    public mutating func write(_ value: MutableFleeceValue) throws {
        var walk = MutableWalk()
        try walk.begin(value, &self)
        while try walk.step(&self) {}
    }

    /// Writes a mutable dictionary, as `write(_:)` of a ``MutableFleeceValue`` does.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// try encoder.amend(fleece)
    /// var changed = MutableFleeceDictionary(fleeceDictionary)
    /// changed["draft"] = nil
    /// try encoder.write(changed)
    /// let appended = try encoder.finish()
    /// ```
    /// - Throws: as that method does.
    @_disfavoredOverload  // A literal is a value, rather than this.
    public mutating func write(_ dictionary: MutableFleeceDictionary) throws {
        try write(.dictionary(dictionary))
    }

    /// Writes a mutable array, as `write(_:)` of a ``MutableFleeceValue`` does.
    ///
    /// - Throws: as that method does.
    @_disfavoredOverload
    public mutating func write(_ array: MutableFleeceArray) throws {
        try write(.array(array))
    }
}
