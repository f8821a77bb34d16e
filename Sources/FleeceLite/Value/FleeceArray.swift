/// An array in a Fleece document: a random-access collection of its elements.
///
/// An array is taken from a value with ``FleeceValue/array``. All methods of Swift's collections
/// can be used on it.
///
/// ```swift
/// let tags = fleece.root["tags"]?.array?.compactMap(\.string) ?? []
/// let numbers = fleece.root["scores"]?.array
/// let sum = numbers?.reduce(0.0) { $0 + ($1.double ?? 0) } ?? 0
/// ```
///
/// Accessing an element takes constant time, and does not copy its content. The subscript with an
/// index traps outside the array, as for Swift's arrays; ``subscript(at:)`` is nil there, and
/// counts negative indexes from the end.
///
/// The array retains its document, and can be used by any thread. It cannot be changed: base a
/// ``MutableFleeceArray`` on it instead. See <doc:ReadingValues>.
public struct FleeceArray: RandomAccessCollection, @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` retains its bytes, which never change.
    let document: FleeceDocument
    let raw: RawCollection

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of elements, which is also the `count`. It takes constant time.
    public var endIndex: Int { raw.count }

    /// An element; `undefined` if its bytes are corrupt.
    ///
    /// - Parameter index: the position of the element.
    /// - Precondition: The index is in `0..<count`. Use ``subscript(at:)`` for an index that may be
    ///   outside.
    public subscript(index: Int) -> FleeceValue {
        precondition(index >= 0 && index < raw.count, "index \(index) of \(raw.count)")
        return FleeceValue(document: document, raw: raw.slot(index) ?? .undefined)
    }

    /// Returns an iterator over the elements, from the first to the last.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over the elements of an array.
    ///
    /// It retains the document, so it stays valid after the array is gone.
    public struct Iterator: IteratorProtocol {
        private let array: FleeceArray
        private var index = 0

        init(_ array: FleeceArray) {
            self.array = array
        }

        /// Returns the next element; nil after the last one.
        ///
        /// An element whose bytes are corrupt is `undefined`, and does not end the iteration.
        public mutating func next() -> FleeceValue? {
            let position = index
            guard position < array.raw.count else { return nil }
            index = position &+ 1
            return FleeceValue(
                document: array.document, raw: array.raw.slot(position) ?? .undefined)
        }
    }
}

extension RawValue {
    /// Stands for a value that cannot be read.
    @usableFromInline static let undefined = constant(FleeceSpecial.undefined)

    fileprivate static let noPairs = constant(FleeceTag.dictionary << 4)

    private static func constant(_ byte: UInt8) -> RawValue {
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 2, alignment: 2)
        bytes.storeBytes(of: byte, as: UInt8.self)
        bytes.storeBytes(of: 0, toByteOffset: 1, as: UInt8.self)
        return RawValue(base: UnsafeRawPointer(bytes), offset: 0, limit: 2)
    }
}

extension RawValue: @unchecked Sendable {
    // A position in constant bytes, which the owner of this value retains.
}

extension RawCollection {
    /// A dictionary without pairs.
    static var empty: RawCollection { RawCollection(empty: .noPairs) }
}
