/// Finds what is not UTF-8 in bytes from outside.
enum UTF8Check {
    /// Where the first byte stands that is not part of a character; nil if all are.
    static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
        var index = 0
        while index < bytes.count {
            if index + 8 <= bytes.count,
                bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & asciiMask == 0
            {
                index += 8
                continue
            }
            let length = characterLength(bytes, at: index)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// What is said of a byte that is not, with the options that could help.
    static func message(_ byte: UInt8) -> String {
        let digits = Text.hexadecimal([byte]).uppercased()
        return "the byte 0x\(digits) is not UTF-8; \(hint)"
    }

    /// How another encoding is read.
    static let hint = "--encoding says another encoding, such as latin1, windows-1252 or utf-16"

    private static let asciiMask: UInt64 = 0x8080_8080_8080_8080

    /// The bytes of the character that begins at an index, 0 for none (RFC 3629).
    private static func characterLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
        let first = bytes[index]
        func follows(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            index + offset < bytes.count && range.contains(bytes[index + offset])
        }
        switch first {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: return follows(1) ? 2 : 0
        case 0xE0: return follows(1, 0xA0...0xBF) && follows(2) ? 3 : 0
        case 0xED: return follows(1, 0x80...0x9F) && follows(2) ? 3 : 0
        case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : 0
        case 0xF0: return follows(1, 0x90...0xBF) && follows(2) && follows(3) ? 4 : 0
        case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
        case 0xF4: return follows(1, 0x80...0x8F) && follows(2) && follows(3) ? 4 : 0
        default: return 0
        }
    }
}
