/// Encodes and decodes hexadecimal digits.
package enum Hexadecimal {
    /// Encodes bytes as two lower-case digits each.
    package static func encoded(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Encodes a number with at least `digits` digits.
    package static func encoded(_ number: some UnsignedInteger, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Decodes digits; nil for other characters and for an odd number of digits.
    package static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        // Growing would leave copies in freed memory, and the decoded bytes can be a key.
        bytes.reserveCapacity(text.underestimatedCount / 2)
        var high: UInt8?
        for character in text {
            guard let value = value(of: character) else { return nil }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return high == nil ? bytes : nil
    }

    /// The lower-case digit of the lowest four bits.
    @inlinable
    package static func digit(_ bits: UInt8) -> UInt8 {
        let value = bits & 0x0F
        return value < 10 ? 0x30 + value : 0x61 + value - 10
    }

    /// The value of a digit; nil for any other character.
    @inlinable
    package static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
