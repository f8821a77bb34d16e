/// A dictionary's key in memory, the same as another if its bytes are: Swift's strings are equal
/// also if they are the same text in different forms of Unicode.
struct PropertyKey: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: PropertyKey, right: PropertyKey) -> Bool { same(left.text, right.text) }

    /// Whether two texts have the same bytes.
    @inline(__always)
    static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && haveSameBytes(left, right)
    }

    private static func haveSameBytes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                left.count == right.count
                    && compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) == 0
            }
        }
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

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
