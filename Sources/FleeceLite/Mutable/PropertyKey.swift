/// The order in which the format has the keys of a dictionary.
enum PropertyKey {
    /// Whether the first key comes before the second one in the format's order: those with a
    /// number by their numbers, then the others by their bytes.
    static func precedes(_ left: (String, number: Int?), _ right: (String, number: Int?)) -> Bool {
        switch (left.number, right.number) {
        case (let left?, let right?): left < right
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): precedes(left.0, right.0)
        }
    }

    /// Whether the bytes of the first key come before those of the second one.
    @inline(__always)
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) < 0
            }
        }
    }

    /// The first eight bytes, the first one highest: of two that differ, the key of the lower one
    /// comes before the other.
    @inline(__always)
    static func prefix(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            var prefix: UInt64 = 0
            for index in 0..<min(bytes.count, 8) {
                prefix |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: 56 &- 8 &* index)
            }
            return prefix
        }
    }
}
