/// A text as a key of a dictionary, told from others by its bytes: Swift takes some different
/// strings for equal.
package struct KeyText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: KeyText, right: KeyText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
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
