/// A string that equals only strings with the same UTF-8 bytes.
///
/// Swift's `==` treats canonically equivalent strings as equal, such as "é" in one code point and
/// in two. Keys of a store differ whenever their bytes do, and so do strings in a query. Use this
/// type for sets and dictionaries whose elements must be distinguished as the store does it:
///
/// ```swift
/// var documents: [ExactString: Document] = [:]
/// documents[ExactString(document.id)] = document
/// ```
///
/// With plain strings, the IDs of two documents that differ only in their composition would
/// collide:
///
/// ```swift
/// let composed = "caf\u{E9}", decomposed = "cafe\u{301}"
/// let isEqual = composed == decomposed  // true
/// let isSameKey = ExactString(composed) == ExactString(decomposed)  // false
/// ```
///
/// Hashing and comparing do not normalize the strings, as `String` has to unless they are ASCII.
public struct ExactString: Hashable, Sendable {
    /// The string, unchanged.
    public let string: String

    /// Wraps a string. Nothing is copied.
    @inlinable
    public init(_ string: String) {
        self.string = string
    }

    /// Returns whether two strings have the same bytes.
    ///
    /// This costs a fraction of Swift's `==` if both share their storage.
    @inlinable
    public static func == (left: ExactString, right: ExactString) -> Bool {
        left.string.hasSameBytes(as: right.string)
    }

    /// Hashes the bytes, without normalizing them as `String` does.
    public func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Whether the bytes are the same, which is stricter and cheaper than Swift's `==`.
    @inlinable @inline(__always)
    package func hasSameBytes(as other: String) -> Bool {
        // In most cases both are the same string, or so short that they are stored inline.
        if isSame(as: other) { return true }
        return hasEqualBytes(as: other)
    }

    /// Whether both share their storage; false does not mean that they differ.
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
        let result = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer(right))
            }
        }
        // Objective-C strings have no contiguous UTF-8.
        return (result ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether two buffers hold the same bytes; compares by words, which
    /// `elementsEqual` does not do.
    @inlinable
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        var position = 0
        while position &+ 8 <= count {
            guard
                loadUnaligned(fromByteOffset: position, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            else { return false }
            position &+= 8
        }
        while position < count {
            guard self[position] == other[position] else { return false }
            position &+= 1
        }
        return true
    }
}
