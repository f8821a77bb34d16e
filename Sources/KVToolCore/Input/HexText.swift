/// Bytes that are written as hexadecimal digits.
package enum HexText {
    /// The bytes; white space may stand anywhere.
    ///
    /// - Parameter name: what the text is of, for the error.
    package static func bytes(_ text: [UInt8], of name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for (offset, character) in text.enumerated() {
            if [0x20, 0x09, 0x0A, 0x0D].contains(character) { continue }
            guard let digit = digit(character) else {
                let place = TextPlace(offset: offset, in: text[...])
                throw ToolError("\(name) is not hexadecimal: \(place)")
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else {
            throw ToolError("\(name) is not hexadecimal: the number of digits is odd")
        }
        return bytes
    }

    /// The value of a digit, nil for any other character.
    static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x41 + 10
        case 0x61...0x66: character - 0x61 + 10
        default: nil
        }
    }
}
