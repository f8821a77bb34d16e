/// A text as a key of a dictionary, told from others by its bytes: Swift takes some different
/// strings for equal.
struct KeyText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: KeyText, right: KeyText) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension String {
    /// Whether the bytes are the same, which is less than Swift's `==` asks for.
    @inline(__always)
    func hasSameBytes(as other: String) -> Bool {
        // Mostly it is one and the same string, or both are so short that they stand in place.
        if isSame(as: other) { return true }
        return hasEqualBytes(as: other)
    }

    /// Whether both are one string, which says nothing if they are not.
    @inline(__always)
    private func isSame(as other: String) -> Bool {
        withUnsafeBytes(of: self) { left in
            withUnsafeBytes(of: other) { right in
                guard left.count == 16 else { return left.elementsEqual(right) }
                return left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
                    && left.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                        == right.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            }
        }
    }

    @inline(never)
    private func hasEqualBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let answer = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                left.hasSameBytes(as: right)
            }
        }
        // Strings of Objective-C have no bytes of their own.
        return (answer ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether a byte of the UTF-8 is below `limit` or equal to `other`.
    @inline(__always)
    func hasByte(below limit: UInt8, or other: UInt8) -> Bool {
        let answer = utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where byte < limit || byte == other { return true }
            return false
        }
        return answer ?? utf8.contains { $0 < limit || $0 == other }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Compares eight bytes at a time. Both have the same count.
    @inline(__always)
    fileprivate func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        let left = UnsafeRawBufferPointer(self)
        let right = UnsafeRawBufferPointer(other)
        var place = 0
        while place &+ 8 <= left.count {
            guard
                left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return false }
            place &+= 8
        }
        while place < left.count {
            guard left[place] == right[place] else { return false }
            place &+= 1
        }
        return true
    }
}
