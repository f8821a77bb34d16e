/// The text before, between and after the plain `?` of some SQL; those in strings, quoted names and
/// comments do not count, nor do numbered ones.
func piecesBetweenParameters(of sql: String) -> [String] {
    let bytes = Array(sql.utf8)
    var pieces: [String] = []
    var start = 0
    var index = 0
    while index < bytes.count {
        if let end = endOfQuoted(bytes, at: index) {
            index = end
        } else if bytes[index] == UInt8(ascii: "?"), !isDigit(bytes, at: index + 1) {
            pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
            index += 1
            start = index
        } else {
            index += 1
        }
    }
    pieces.append(String(decoding: bytes[start...], as: UTF8.self))
    return pieces
}

private func isDigit(_ bytes: [UInt8], at index: Int) -> Bool {
    index < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
}

/// Where the string, quoted name or comment ends that begins at `index`; nil if none does.
private func endOfQuoted(_ bytes: [UInt8], at index: Int) -> Int? {
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch bytes[index] {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"):
        return end(of: [bytes[index]], in: bytes, from: index + 1)
    case UInt8(ascii: "["):
        return end(of: [UInt8(ascii: "]")], in: bytes, from: index + 1)
    case UInt8(ascii: "-") where next == UInt8(ascii: "-"):
        return end(of: [UInt8(ascii: "\n")], in: bytes, from: index + 2)
    case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
        return end(of: Array("*/".utf8), in: bytes, from: index + 2)
    default:
        return nil
    }
}

/// The index behind the next `mark`, or the end of the text.
private func end(of mark: [UInt8], in bytes: [UInt8], from start: Int) -> Int {
    var index = start
    while index + mark.count <= bytes.count {
        if bytes[index..<index + mark.count].elementsEqual(mark) { return index + mark.count }
        index += 1
    }
    return bytes.count
}
