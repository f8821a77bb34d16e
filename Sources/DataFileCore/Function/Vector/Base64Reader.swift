/// Reads Base64 as RFC 4648 has it; the padding may be missing.
enum Base64Reader {
    /// Appends the bytes that a text stands for; false if it is no Base64.
    static func append(_ text: UnsafeRawBufferPointer, to bytes: inout ScratchBytes) -> Bool {
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
            case 1: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            default: bytes.append(UInt8(truncatingIfNeeded: bits))
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
