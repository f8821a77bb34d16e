/// UTF-8 as SQLite's tokenizers read and write it: any bytes decode to some code point.
///
/// A lone continuation byte stands for itself, a code point may have any number of bytes, and
/// values outside of Unicode become U+FFFD or larger numbers. Indexes of invalid UTF-8 are
/// therefore identical to SQLite's.
enum LenientUTF8 {
    /// Reads a code point and advances `position`, which must be before `end`.
    @inline(__always)
    static func read(
        _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
    ) -> UInt32 {
        var code = UInt32(position.pointee)
        position += 1
        guard code >= 0xc0 else { return code }
        code = firstBits(code)
        while position < end, position.pointee & 0xc0 == 0x80 {
            code = code &<< 6 | UInt32(position.pointee & 0x3f)
            position += 1
        }
        if code < 0x80 || code & 0xffff_f800 == 0xd800 || code & 0xffff_fffe == 0xfffe {
            return 0xfffd
        }
        return code
    }

    /// The bits of a code point in the first byte of several.
    @inline(__always)
    private static func firstBits(_ byte: UInt32) -> UInt32 {
        if byte < 0xe0 { return byte & 0x1f }
        if byte < 0xf0 { return byte & 0x0f }
        if byte < 0xf8 { return byte & 0x07 }
        if byte < 0xfc { return byte & 0x03 }
        return byte < 0xfe ? byte & 0x01 : 0
    }

    /// Writes a code point in one to four bytes, and returns their number; there must be space for
    /// four.
    @inline(__always)
    static func write(_ code: UInt32, to destination: UnsafeMutablePointer<UInt8>) -> Int {
        // Numbers above 31 bits count as negative: one byte.
        if code < 0x80 || code > UInt32(Int32.max) {
            destination[0] = UInt8(truncatingIfNeeded: code)
            return 1
        }
        if code < 0x800 {
            destination[0] = 0xc0 | UInt8(truncatingIfNeeded: code >> 6 & 0x1f)
            destination[1] = 0x80 | UInt8(truncatingIfNeeded: code & 0x3f)
            return 2
        }
        if code < 0x10000 {
            destination[0] = 0xe0 | UInt8(truncatingIfNeeded: code >> 12 & 0x0f)
            destination[1] = 0x80 | UInt8(truncatingIfNeeded: code >> 6 & 0x3f)
            destination[2] = 0x80 | UInt8(truncatingIfNeeded: code & 0x3f)
            return 3
        }
        destination[0] = 0xf0 | UInt8(truncatingIfNeeded: code >> 18 & 0x07)
        destination[1] = 0x80 | UInt8(truncatingIfNeeded: code >> 12 & 0x3f)
        destination[2] = 0x80 | UInt8(truncatingIfNeeded: code >> 6 & 0x3f)
        destination[3] = 0x80 | UInt8(truncatingIfNeeded: code & 0x3f)
        return 4
    }
}
