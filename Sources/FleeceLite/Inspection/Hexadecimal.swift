/// Numbers as people who look at bytes write them.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func digits(_ byte: UInt8) -> [UInt8] {
        [digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
    }

    /// Bytes with a blank between them.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(decoding: digits($0), as: UTF8.self) }.joined(separator: " ")
    }

    /// A number of at least so many digits.
    static func text(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
