/// Bytes as the tables of the format write them: hexadecimal in groups of two bytes.
func hex(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    for (index, byte) in bytes.enumerated() {
        if index > 0, index % 2 == 0 { text += " " }
        text += byte < 16 ? "0" : ""
        text += String(byte, radix: 16)
    }
    return text
}

/// Bytes as Python writes them: hexadecimal without blanks.
func unspacedHex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(2 * bytes.count)
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// The bytes of hexadecimal digits, with any blanks between them.
func bytes(_ hex: String) throws -> [UInt8] {
    let digits = hex.filter { !$0.isWhitespace }.compactMap(\.hexDigitValue)
    guard digits.count % 2 == 0, digits.count == hex.filter({ !$0.isWhitespace }).count else {
        throw NotHexadecimal(text: hex)
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

struct NotHexadecimal: Error {
    let text: String
}
