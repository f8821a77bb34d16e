/// A value that does not retain its document: for loops in which reference counting would dominate
/// the cost.
///
/// ``FleeceDocument/withUnsafeRoot(_:)`` passes the root of a document in this form. Values that
/// are taken from it have the same form, so a loop over a document counts no references at all:
///
/// ```swift
/// var age = FleeceKey("age")
/// let sum = fleece.withUnsafeRoot { people in
///     var sum: Int64 = 0
///     people.forEachElement { sum += $0.dictionary?.value(&age)?.int ?? 0 }
///     return sum
/// }
/// ```
///
/// The value is valid only inside the closure; used later, it reads garbage or crashes. The
/// compiler does not prevent that: return numbers, strings or copies of bytes from the closure, not
/// values. On corrupt bytes it is as safe as ``FleeceValue``.
///
/// It has the accessors of ``FleeceValue`` that do not convert, with these differences: ``utf8``
/// and ``data`` are views of the document's bytes, and an array is accessed through
/// ``elementCount``, the subscript and ``forEachElement(_:)``.
///
/// Use ``FleeceValue`` unless a measurement shows that it is too slow.
public struct UnsafeFleeceValue: BitwiseCopyable {
    @usableFromInline let raw: RawValue
    @usableFromInline let document: Unmanaged<FleeceDocument>

    @inlinable @inline(__always)
    init(_ raw: RawValue, _ document: Unmanaged<FleeceDocument>) {
        self.raw = raw
        self.document = document
    }

    /// The kind of the value; `undefined` also for bytes that are not a value.
    public var kind: FleeceValue.Kind { raw.kind }

    /// Whether the value is `null`.
    @inlinable public var isNull: Bool { raw.has(2) && raw.byte(0) == FleeceSpecial.null }

    /// The value of a Boolean; nil for any other kind.
    public var bool: Bool? { raw.bool }

    /// The value of an integer within the range of `Int64`; nil for any other value.
    ///
    /// A floating-point number is not an integer, even if it is whole.
    public var int: Int64? { raw.int }

    /// The value of any number, rounded if it is a large integer; nil for any other kind.
    public var double: Double? { raw.double }

    /// The bytes of a string, which may not be UTF-8 if the document was not validated; nil for any
    /// other kind.
    ///
    /// They are a view of the document's bytes, valid as long as the value. Nothing is copied:
    ///
    /// ```swift
    /// let isAda = fleece.withUnsafeRoot { root in
    ///     root["name"]?.utf8.map { $0.elementsEqual("Ada".utf8) } ?? false
    /// }
    /// ```
    @inlinable public var utf8: UnsafeRawBufferPointer? { raw.string }

    /// The value of a string, in which invalid UTF-8 is replaced; nil for any other kind.
    ///
    /// Each call creates a new `String`; see ``utf8``.
    public var string: String? { raw.text }

    /// The bytes of data; nil for any other kind.
    ///
    /// They are a view of the document's bytes, valid as long as the value.
    @inlinable public var data: UnsafeRawBufferPointer? { raw.bytes(tag: FleeceTag.data) }

    /// The dictionary; nil for any other kind.
    @inlinable public var dictionary: UnsafeFleeceDictionary? {
        raw.dictionary.map { UnsafeFleeceDictionary($0, document) }
    }

    /// The number of elements of an array; 0 for any other kind.
    @inlinable public var elementCount: Int { raw.array?.count ?? 0 }

    /// An element of an array; nil outside the array or if this is not an array.
    ///
    /// - Parameter index: the position of the element, from 0. A negative one is outside.
    @inlinable public subscript(index: Int) -> UnsafeFleeceValue? {
        guard let array = raw.array, index >= 0, index < array.count else { return nil }
        return UnsafeFleeceValue(array.slot(index) ?? .undefined, document)
    }

    /// The value of a key in a dictionary; nil if there is none or this is not a dictionary.
    public subscript(key: String) -> UnsafeFleeceValue? { dictionary?[key] }

    /// Calls `operation` with each element of an array, in order; does nothing for other kinds.
    ///
    /// An element whose bytes are corrupt is passed as `undefined`.
    ///
    /// - Parameter operation: a closure that receives the element.
    /// - Throws: only what the closure throws, which ends the iteration.
    @inlinable public func forEachElement<E: Error>(
        _ operation: (UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard let array = raw.array else { return }
        for index in 0..<array.count {
            try operation(UnsafeFleeceValue(array.slot(index) ?? .undefined, document))
        }
    }
}

extension UnsafeFleeceValue {
    /// The root of borrowed bytes, read on behalf of a document that is borrowed as well; nil if
    /// they have none.
    package init?(rootOf bytes: UnsafeRawBufferPointer, _ document: Unmanaged<FleeceDocument>) {
        guard let raw = RawValue.root(of: bytes) else { return nil }
        self.init(raw, document)
    }
}

extension FleeceDocument {
    /// A document without properties, on whose behalf borrowed values can be read.
    package static func empty(sharedKeys: SharedKeys) throws -> FleeceDocument {
        try FleeceDocument(trusted: [0x70, 0x00], sharedKeys: sharedKeys)
    }

    /// Passes the root of other bytes, which have the same shared keys and no base, to `operation`
    /// as if it belonged to this document; nil if they have no root.
    ///
    /// The key cache is shared by all calls.
    @inlinable @inline(__always)
    package func withUnsafeRoot<T, E: Error>(
        of bytes: UnsafeRawBufferPointer, _ operation: (UnsafeFleeceValue?) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(self) }
        return try operation(borrowedRoot(bytes))
    }

    @usableFromInline
    package func borrowedRoot(_ bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        RawValue.root(of: bytes).map { UnsafeFleeceValue($0, .passUnretained(self)) }
    }

    /// Passes the root to `operation`, without reference counting for nested values.
    ///
    /// Neither the root nor any value taken from it may escape from `operation`.
    ///
    /// ```swift
    /// let title = fleece.withUnsafeRoot { $0["title"]?.string }
    /// ```
    ///
    /// - Parameter operation: a closure that receives the root.
    /// - Returns: the result of the closure.
    /// - Throws: only what the closure throws.
    public func withUnsafeRoot<T, E: Error>(
        _ operation: (UnsafeFleeceValue) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(self) }
        return try operation(UnsafeFleeceValue(rawRoot, .passUnretained(self)))
    }
}

extension UnsafeFleeceValue {
    /// Reads elements of an array as doubles, as many as `numbers` has space for.
    ///
    /// Returns false if one of them is not a number, or if the array has fewer elements.
    package func readNumbers(
        from start: Int, into numbers: UnsafeMutableBufferPointer<Double>
    ) -> Bool {
        guard let array = raw.array, start >= 0, start <= array.count,
            numbers.count <= array.count - start
        else { return false }
        for index in 0..<numbers.count {
            guard let number = array.slot(start &+ index)?.double else { return false }
            numbers[index] = number
        }
        return true
    }
}

extension UnsafeFleeceValue {
    /// Returns whether both values are equal, as with `FleeceValue`'s `==`.
    package func isEqual(to other: UnsafeFleeceValue) -> Bool {
        var comparison = ValueComparison(.init(self), .init(other))
        return comparison.compare(raw, other.raw) == 0
    }

    /// Whether it is this number, regardless of its stored form.
    package func isEqual(to number: Double) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is this number, regardless of its stored form.
    package func isEqual(to number: Int64) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is this number, regardless of its stored form.
    package func isEqual(to number: UInt64) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is a string with these bytes.
    package func isText(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let own = raw.string, own.count == text.count else { return false }
        return compare(own, text) == 0
    }
}

extension UnsafeFleeceValue {
    /// The bytes of the document up to the value's end, and possibly more:
    /// all nested values included.
    ///
    /// Only for a document without a base, as borrowed ones are.
    package var surroundings: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: raw.base, count: raw.limit)
    }

    /// The same value in a copy of its `surroundings`, with the shared keys of a document.
    package func moved(
        to copy: UnsafeRawPointer, _ document: Unmanaged<FleeceDocument>
    ) -> UnsafeFleeceValue {
        UnsafeFleeceValue(
            RawValue(base: copy, offset: raw.offset, limit: raw.limit), document)
    }

    /// The bytes of the document up to the end of this array or dictionary, and the pointer that,
    /// appended to them, makes them a document with it as root and the same shared keys.
    ///
    /// Nil for other values, and if there are more bytes than `maximum`, which is at most 16 KiB.
    package func beginning(
        maximum: Int
    ) -> (bytes: UnsafeRawBufferPointer, pointer: (UInt8, UInt8))? {
        guard let collection = raw.slots?.0, raw.lowest == 0 else { return nil }
        let end = collection.start &+ collection.slotCount &* collection.width
        guard end <= min(maximum, 16 << 10), end & 1 == 0 else { return nil }
        let distance = (end &- raw.offset) / 2
        let bytes = UnsafeRawBufferPointer(start: raw.base, count: end)
        return (
            bytes, (0x80 | UInt8(truncatingIfNeeded: distance >> 8), UInt8(distance & 0xFF))
        )
    }
}
