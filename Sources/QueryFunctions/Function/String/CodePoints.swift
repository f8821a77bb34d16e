/// Code points of UTF-8. Bytes that are no UTF-8 are never a trap: each byte that does not go on
/// with another begins a code point.
enum CodePoints {
    /// Whether a byte begins a code point.
    @inline(__always)
    static func begins(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }

    /// How many there are.
    static func count(in text: UnsafeRawBufferPointer) -> Int {
        var (count, index) = (0, 0)
        while index &+ 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The bit of each byte that goes on: 1 in bit 7 and 0 in bit 6.
            let more = (word >> 7) & ~(word >> 6) & 0x0101_0101_0101_0101
            count &+= 8 &- more.nonzeroBitCount
            index &+= 8
        }
        while index < text.count {
            count &+= begins(text[index]) ? 1 : 0
            index &+= 1
        }
        return count
    }

    /// How many begin before an offset.
    static func count(in text: UnsafeRawBufferPointer, before offset: Int) -> Int {
        count(in: UnsafeRawBufferPointer(rebasing: text[..<min(max(offset, 0), text.count)]))
    }

    /// The offset at which the code point after the one at `offset` begins; past the end at most
    /// by 1.
    static func next(in text: UnsafeRawBufferPointer, after offset: Int) -> Int {
        var next = offset + 1
        while next < text.count, !begins(text[next]) { next += 1 }
        return next
    }

    /// The offset of the code point of a number, counted from 0; the end if there are fewer.
    static func offset(of number: Int, in text: UnsafeRawBufferPointer) -> Int {
        var (left, offset) = (number, 0)
        while left > 0, offset < text.count {
            offset = min(next(in: text, after: offset), text.count)
            left -= 1
        }
        return offset
    }
}
