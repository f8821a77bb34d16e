internal import StorePlatform

/// Decodes hexadecimal digits.
package enum HexText {
    /// Decodes bytes; white space is ignored.
    ///
    /// - Parameter name: the name of the text for the error.
    package static func bytes(_ text: [UInt8], of name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for (offset, character) in text.enumerated() {
            if [0x20, 0x09, 0x0A, 0x0D].contains(character) { continue }
            guard let digit = Hexadecimal.value(of: character) else {
                let location = TextLocation(offset: offset, in: text[...])
                throw ToolError("\(name) is not hexadecimal: \(location)")
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
