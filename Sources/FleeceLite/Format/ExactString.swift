/// A string that equals only strings of the same UTF-8 bytes.
///
/// Swift's `==` takes strings for equal that look the same, such as "é" in one code point and in
/// two. Keys of a store differ whenever their bytes do, and so do strings in a query. Use this type
/// for sets and dictionaries whose elements must be told apart as the store does it:
///
/// ```swift
/// var documents: [ExactString: Document] = [:]
/// documents[ExactString(document.id)] = document
/// ```
public struct ExactString: Hashable, Sendable {
    /// The string.
    public let string: String

    /// Wraps a string.
    @inlinable
    public init(_ string: String) {
        self.string = string
    }

    /// Whether two strings have the same bytes. A fraction of the cost of Swift's `==` where both
    /// share their storage.
    @inlinable
    public static func == (left: ExactString, right: ExactString) -> Bool {
        left.string.hasSameBytes(as: right.string)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether the bytes are the same, which is less than Swift's `==` asks for.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: String) -> Bool {
        // Mostly it is one and the same string, or both are so short that they stand in place.
        if isSame(as: other) { return true }
        return hasEqualBytes(as: other)
    }

    /// Whether both are one string, which says nothing if they are not.
    @inlinable @inline(__always)
    func isSame(as other: String) -> Bool {
        withUnsafeBytes(of: self) { left in
            withUnsafeBytes(of: other) { right in
                guard left.count == 16 else { return left.elementsEqual(right) }
                return left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
                    && left.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                        == right.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            }
        }
    }

    @usableFromInline @inline(never)
    func hasEqualBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let answer = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            }
        }
        // Strings of Objective-C have no bytes of their own.
        return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
