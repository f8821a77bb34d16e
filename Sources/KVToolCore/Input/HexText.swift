internal import StorePlatform

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
            guard let digit = Hexadecimal.value(of: character) else {
                let place = TextLocation(offset: offset, in: text[...])
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
}
