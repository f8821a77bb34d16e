/// Validates UTF-8: rejects overlong forms, surrogates and truncated sequences.
enum UTF8Validation {
    /// The offset of the first sequence that is not UTF-8; nil if all are.
    static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
        var position = 0
        while bytes.count &- position >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
            let high = word & 0x8080_8080_8080_8080
            if high == 0 {
                position &+= 8
                continue
            }
            position &+= high.trailingZeroBitCount &>> 3
            guard bytes.count &- position >= 4 else { break }
            let start = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            let length = sequenceLength(start.littleEndian)
            if length == 0 { return position }
            position &+= length
        }
        return firstInvalid(in: bytes, from: position)
    }

    /// The same for the last bytes, fewer than eight.
    private static func firstInvalid(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        // A truncated sequence is then followed by zeros, which are not continuation bytes.
        var rest: UInt64 = 0
        for position in (start..<bytes.count).reversed() {
            rest = rest &<< 8 | UInt64(bytes[position])
        }
        var position = start
        while position < bytes.count {
            let isASCII = rest & 0x80 == 0
            let length = isASCII ? 1 : sequenceLength(UInt32(truncatingIfNeeded: rest))
            if length == 0 { return position }
            position &+= length
            rest &>>= UInt64(truncatingIfNeeded: 8 &* length)
        }
        return nil
    }

    /// The length of the non-ASCII sequence at the start of a word, the first byte
    /// lowest; 0 if it is malformed.
    @inline(__always)
    private static func sequenceLength(_ word: UInt32) -> Int {
        // A mask for the fixed bits of all bytes, then one for the bits that identify an overlong
        // form, a surrogate or a value above U+10FFFF.
        if word & 0xC0E0 == 0x80C0 { return word & 0x1E != 0 ? 2 : 0 }
        if word & 0xC0_C0F0 == 0x80_80E0 {
            let head = word & 0x200F
            return head != 0 && head != 0x200D ? 3 : 0
        }
        if word & 0xC0C0_C0F8 == 0x8080_80F0 {
            let head = word & 0x3007
            return head != 0 && (head & 4 == 0 || head & 0x3003 == 0) ? 4 : 0
        }
        return 0
    }
}
