/// A value that does not keep its document: for loops in which a count of references per value
/// would be the greater part of the work.
///
/// It is valid inside `FleeceDocument.withUnsafeRoot(_:)` only, and reads garbage or crashes after
/// it. On corrupt bytes it is as safe as `FleeceValue`.
public struct UnsafeFleeceValue: BitwiseCopyable {
    @usableFromInline let raw: RawValue
    @usableFromInline let document: Unmanaged<FleeceDocument>

    @inlinable @inline(__always)
    init(_ raw: RawValue, _ document: Unmanaged<FleeceDocument>) {
        self.raw = raw
        self.document = document
    }

    /// What it is; `undefined` also for bytes that are no value.
    public var kind: FleeceValue.Kind { raw.kind }

    /// True for `null`.
    @inlinable public var isNull: Bool { raw.has(2) && raw.byte(0) == FleeceSpecial.null }

    /// The value of a Boolean, nil for anything else.
    public var bool: Bool? { raw.bool }

    /// The value of an integer within the range of `Int64`, nil for anything else.
    public var int: Int64? { raw.int }

    /// The value of a number of either kind, rounded if it is a large integer; else nil.
    public var double: Double? { raw.double }

    /// The bytes of a string's text, which may not be UTF-8 if the document was not validated.
    @inlinable public var utf8: UnsafeRawBufferPointer? { raw.string }

    /// The text of a string, nil for anything else; bytes that are not UTF-8 are repaired.
    public var string: String? { raw.text }

    /// The bytes of data, nil for anything else.
    @inlinable public var data: UnsafeRawBufferPointer? { raw.bytes(tag: FleeceTag.data) }

    /// The dictionary, nil for anything else.
    @inlinable public var dictionary: UnsafeFleeceDictionary? {
        raw.dictionary.map { UnsafeFleeceDictionary($0, document) }
    }

    /// How many elements an array has, 0 for anything else.
    @inlinable public var elementCount: Int { raw.array?.count ?? 0 }

    /// An array's element, nil outside it or if this is not an array.
    @inlinable public subscript(index: Int) -> UnsafeFleeceValue? {
        guard let array = raw.array, index >= 0, index < array.count else { return nil }
        return UnsafeFleeceValue(array.slot(index) ?? .undefined, document)
    }

    /// A dictionary's value for a key, nil if there is none or this is not a dictionary.
    public subscript(key: String) -> UnsafeFleeceValue? { dictionary?[key] }

    /// Calls `body` with each element of an array, in order; nothing for anything else.
    @inlinable public func forEachElement<E: Error>(
        _ body: (UnsafeFleeceValue) throws(E) -> Void
    ) throws(E) {
        guard let array = raw.array else { return }
        for index in 0..<array.count {
            try body(UnsafeFleeceValue(array.slot(index) ?? .undefined, document))
        }
    }
}

extension UnsafeFleeceValue {
    /// The outermost value of borrowed bytes, read in the place of a document that is borrowed,
    /// too; nil if they have none.
    package init?(rootOf bytes: UnsafeRawBufferPointer, _ document: Unmanaged<FleeceDocument>) {
        guard let raw = RawValue.root(of: bytes) else { return nil }
        self.init(raw, document)
    }
}

extension FleeceDocument {
    /// A document of no properties, in whose place borrowed ones can be read.
    package static func empty(sharedKeys: SharedKeys) throws -> FleeceDocument {
        try FleeceDocument(trusted: [0x70, 0x00], sharedKeys: sharedKeys)
    }

    /// Lends the outermost value of other bytes, which have the same shared keys and no base, as if
    /// it were this document's; nil if they have none.
    ///
    /// What is learnt of where keys are serves for the next ones.
    @inlinable @inline(__always)
    package func withUnsafeRoot<T, E: Error>(
        of bytes: UnsafeRawBufferPointer, _ body: (UnsafeFleeceValue?) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(self) }
        return try body(borrowedRoot(bytes))
    }

    @usableFromInline
    package func borrowedRoot(_ bytes: UnsafeRawBufferPointer) -> UnsafeFleeceValue? {
        RawValue.root(of: bytes).map { UnsafeFleeceValue($0, .passUnretained(self)) }
    }

    /// Lends the outermost value to `body`, without a count of references for each value in it.
    ///
    /// Neither it nor what is taken from it may leave `body`.
    public func withUnsafeRoot<T, E: Error>(
        _ body: (UnsafeFleeceValue) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(self) }
        return try body(UnsafeFleeceValue(rawRoot, .passUnretained(self)))
    }
}

extension UnsafeFleeceValue {
    /// Reads elements of an array as doubles, as many as `numbers` has space for.
    ///
    /// False if one of them is not a number, or if there are not so many.
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
    /// Whether both mean the same, as `FleeceValue`'s `==` says.
    package func isEqual(to other: UnsafeFleeceValue) -> Bool {
        var comparison = ValueComparison(.init(self), .init(other))
        return comparison.compare(raw, other.raw) == 0
    }

    /// Whether it is this number, however it is stored.
    package func isEqual(to number: Double) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is this number, however it is stored.
    package func isEqual(to number: Int64) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is this number, however it is stored.
    package func isEqual(to number: UInt64) -> Bool {
        FleeceNumber(raw)?.compared(to: FleeceNumber(number)) == 0
    }

    /// Whether it is a string of these bytes.
    package func isText(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let own = raw.string, own.count == text.count else { return false }
        return compare(own, text) == 0
    }
}

extension UnsafeFleeceValue {
    /// The bytes of the document up to the value's end and somewhat more: all that is in it.
    ///
    /// Of a document without a base only, as borrowed ones are.
    package var surroundings: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: raw.base, count: raw.limit)
    }

    /// The same value in a copy of its `surroundings`, with the keys of a document.
    package func moved(
        to copy: UnsafeRawPointer, _ document: Unmanaged<FleeceDocument>
    ) -> UnsafeFleeceValue {
        UnsafeFleeceValue(
            RawValue(base: copy, offset: raw.offset, limit: raw.limit), document)
    }

    /// The bytes of the document up to the end of this array or dictionary, and the pointer that,
    /// put behind them, makes them a document with it as root, with the same shared keys.
    ///
    /// Nil for other values, and if these are more bytes than `maximum`, of 16 KiB at most.
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
