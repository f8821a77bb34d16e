/// UTF-8 as SQLite's tokenizers read and write it: anything is taken for some code point.
///
/// A byte that continues nothing stands for itself, a code point may have any number of bytes, and
/// what Unicode has no place for is U+FFFD or a number beyond the last one. Indexes of texts that
/// are not UTF-8 are the same for that.
enum LenientUTF8 {
    /// Reads a code point and goes on behind it; `place` must be before `end`.
    @inline(__always)
    static func read(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32 {
        var code = UInt32(place.pointee)
        place += 1
        guard code >= 0xc0 else { return code }
        code = firstBits(code)
        while place < end, place.pointee & 0xc0 == 0x80 {
            code = code &<< 6 | UInt32(place.pointee & 0x3f)
            place += 1
        }
        if code < 0x80 || code & 0xffff_f800 == 0xd800 || code & 0xffff_fffe == 0xfffe {
            return 0xfffd
        }
        return code
    }

    /// What the first byte of several holds of the code point.
    @inline(__always)
    private static func firstBits(_ byte: UInt32) -> UInt32 {
        if byte < 0xe0 { return byte & 0x1f }
        if byte < 0xf0 { return byte & 0x0f }
        if byte < 0xf8 { return byte & 0x07 }
        if byte < 0xfc { return byte & 0x03 }
        return byte < 0xfe ? byte & 0x01 : 0
    }

    /// Writes a code point in one to four bytes, and returns how many; there must be place for
    /// four.
    @inline(__always)
    static func write(_ code: UInt32, to place: UnsafeMutablePointer<UInt8>) -> Int {
        // Numbers beyond 31 bits count as negative: one byte.
        if code < 0x80 || code > UInt32(Int32.max) {
            place[0] = UInt8(truncatingIfNeeded: code)
            return 1
        }
        if code < 0x800 {
            place[0] = 0xc0 | UInt8(truncatingIfNeeded: code >> 6 & 0x1f)
            place[1] = 0x80 | UInt8(truncatingIfNeeded: code & 0x3f)
            return 2
        }
        if code < 0x10000 {
            place[0] = 0xe0 | UInt8(truncatingIfNeeded: code >> 12 & 0x0f)
            place[1] = 0x80 | UInt8(truncatingIfNeeded: code >> 6 & 0x3f)
            place[2] = 0x80 | UInt8(truncatingIfNeeded: code & 0x3f)
            return 3
        }
        place[0] = 0xf0 | UInt8(truncatingIfNeeded: code >> 18 & 0x07)
        place[1] = 0x80 | UInt8(truncatingIfNeeded: code >> 12 & 0x3f)
        place[2] = 0x80 | UInt8(truncatingIfNeeded: code >> 6 & 0x3f)
        place[3] = 0x80 | UInt8(truncatingIfNeeded: code & 0x3f)
        return 4
    }
}
