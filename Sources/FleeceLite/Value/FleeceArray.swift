/// An array in a Fleece document: a random-access collection of its elements.
///
/// Accessing an element takes constant time, and does not copy its content.
public struct FleeceArray: RandomAccessCollection, @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` retains its bytes, which never change.
    let document: FleeceDocument
    let raw: RawCollection

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { raw.count }

    /// An element; `undefined` if its bytes are corrupt. Traps outside `0..<count`.
    public subscript(index: Int) -> FleeceValue {
        precondition(index >= 0 && index < raw.count, "index \(index) of \(raw.count)")
        return FleeceValue(document: document, raw: raw.slot(index) ?? .undefined)
    }

    /// Returns an iterator over the elements.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Iterates over the elements.
    public struct Iterator: IteratorProtocol {
        private let array: FleeceArray
        private var index = 0

        init(_ array: FleeceArray) {
            self.array = array
        }

        /// Returns the next element, `undefined` if its bytes are corrupt; nil after the last one.
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
