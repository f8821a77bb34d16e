/// Base64 (RFC 4648).
enum Base64 {
    /// The bytes that a text with padding stands for, nil if it is no base64.
    static func decoded(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        return decode(text) { bytes.append($0) } ? bytes : nil
    }

    /// Hands out the bytes that a text stands for, whose padding may be missing; false if it is no
    /// base64, after the bytes before that.
    @inline(__always)
    static func decode(_ text: UnsafeRawBufferPointer, _ append: (UInt8) -> Void) -> Bool {
        var text = text
        if text.count % 4 == 0 {
            for _ in 0..<2 where text.last == UInt8(ascii: "=") {
                text = UnsafeRawBufferPointer(rebasing: text.dropLast())
            }
        }
        guard text.count % 4 != 1 else { return false }
        var bits: UInt32 = 0
        for (index, character) in text.enumerated() {
            guard let value = value(character) else { return false }
            bits = bits << 6 | value
            // Each character but the first of four completes a byte.
            switch index & 3 {
            case 0: break
            case 1: append(UInt8(truncatingIfNeeded: bits >> 4))
            case 2: append(UInt8(truncatingIfNeeded: bits >> 2))
            default: append(UInt8(truncatingIfNeeded: bits))
            }
        }
        return true
    }

    private static func value(_ character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
