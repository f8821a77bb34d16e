internal import StorePlatform

/// A growing buffer of JSON in UTF-8: strings with their escapes, eight
/// bytes at a time, and numbers.
struct JSONBuffer: ~Copyable {
    var bytes = GrowingBuffer<UInt8>(capacity: 1024)

    var count: Int { bytes.count }

    /// The bytes written so far; valid until the next change.
    var contents: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes.base, count: bytes.count)
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    mutating func append(word text: StaticString) {
        bytes.append(
            UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(_ text: UnsafeRawBufferPointer) { bytes.append(text) }

    mutating func append(verbatim text: String) {
        var text = text
        text.withUTF8 { bytes.append(UnsafeRawBufferPointer($0)) }
    }
}

extension JSONBuffer {
    /// Appends UTF-8 in quotes, escaped; returns whether all of it is ASCII.
    @inline(__always)
    @discardableResult
    mutating func append(quoted text: UnsafeRawBufferPointer) -> Bool {
        bytes.reserve(text.count &+ 32)
        let end = bytes.end
        end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        guard let start = text.baseAddress, text.count > 0 else {
            end.storeBytes(of: UInt8(ascii: "\""), toByteOffset: 1, as: UInt8.self)
            bytes.extend(2)
            return true
        }
        let count = text.count
        var seen: UInt64 = 0
        var special: UInt64 = 0
        var offset = 0
        while count &- offset > 8 {
            let word = start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            end.storeBytes(of: word, toByteOffset: 1 &+ offset, as: UInt64.self)
            seen |= word
            special |= Self.special(word)
            offset &+= 8
        }
        let (last, lastOffset) = Self.lastWord(start, count)
        end.storeBytes(of: last, toByteOffset: 1 &+ lastOffset, as: UInt64.self)
        seen |= last
        // The bytes after a short word are zeros, which must not count as its control characters.
        let unused = count < 8 ? UInt64.max &<< UInt64(truncatingIfNeeded: 8 &* count) : 0
        special |= Self.special(last.littleEndian | unused & 0x2020_2020_2020_2020)
        if special != 0 { return appendEscaped(text) }
        end.storeBytes(of: UInt8(ascii: "\""), toByteOffset: 1 &+ count, as: UInt8.self)
        bytes.extend(count &+ 2)
        return seen & 0x8080_8080_8080_8080 == 0
    }

    /// The last 8 bytes and their offset, or all bytes of a shorter string, followed by zeros.
    @inline(__always)
    private static func lastWord(
        _ start: UnsafeRawPointer, _ count: Int
    ) -> (word: UInt64, offset: Int) {
        if count >= 8 {
            return (start.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self), count &- 8)
        }
        let text = ShortString(UnsafeRawBufferPointer(start: start, count: count))
        return (text.low.littleEndian, 0)
    }

    /// Nonzero if a byte is a quote, a backslash, below 0x20, or 0x7F.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = (word ^ (ones &* 0x02)) &- (ones &* 0x21)
        let backslash = (word ^ (ones &* 0x5C)) &- ones
        let delete = (word ^ (ones &* 0x7F)) &- ones
        return (quote | backslash | delete) & ~word & (ones &* 0x80)
    }

    @inline(never)
    private mutating func appendEscaped(_ text: UnsafeRawBufferPointer) -> Bool {
        bytes.append(UInt8(ascii: "\""))
        var run = 0
        var seen: UInt8 = 0
        for (index, byte) in text.enumerated() {
            seen |= byte
            guard byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F else { continue }
            bytes.append(UnsafeRawBufferPointer(rebasing: text[run..<index]))
            append(escaped: byte)
            run = index + 1
        }
        bytes.append(UnsafeRawBufferPointer(rebasing: text[run...]))
        bytes.append(UInt8(ascii: "\""))
        return seen < 0x80
    }

    private mutating func append(escaped byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            append(word: "u00")
            bytes.append(Hexadecimal.digit(byte >> 4))
            bytes.append(Hexadecimal.digit(byte))
        }
    }
}
