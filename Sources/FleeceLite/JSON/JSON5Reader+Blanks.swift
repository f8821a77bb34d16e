extension JSON5Reader {
    /// Skips white space and comments.
    mutating func skipBlanks() throws {
        while position < input.count {
            switch next {
            case 0x09...0x0D, 0x20: position += 1
            case UInt8(ascii: "/"): try skipComment()
            case 0x80...:
                let (scalar, length) = scalar(at: position)
                guard Self.isBlank(scalar) else { return }
                position += length
            default: return
            }
        }
    }

    private mutating func skipComment() throws {
        let start = position
        switch byte(at: position + 1) {
        case UInt8(ascii: "/"):
            position += 2
            while position < input.count, lineEnd(at: position) == 0 { position += 1 }
        case UInt8(ascii: "*"):
            position += 2
            while next != UInt8(ascii: "*") || byte(at: position + 1) != UInt8(ascii: "/") {
                guard position < input.count else { throw error("unterminated comment", at: start) }
                position += 1
            }
            position += 2
        default: throw error("a '/' that does not start a comment")
        }
    }

    /// The number of bytes of the line end at an offset; 0 if there is none.
    func lineEnd(at offset: Int) -> Int {
        switch byte(at: offset) {
        case 0x0A: 1
        case 0x0D: byte(at: offset + 1) == 0x0A ? 2 : 1
        case 0xE2:
            // U+2028 and U+2029 separate lines and paragraphs.
            byte(at: offset + 1) == 0x80 && byte(at: offset + 2) & 0xFE == 0xA8 ? 3 : 0
        default: 0
        }
    }

    /// The scalar at an offset and its length; the input is valid UTF-8.
    func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int) {
        let first = byte(at: offset)
        let length = first < 0x80 ? 1 : max(1, (~first).leadingZeroBitCount)
        var code = length == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(length))
        for index in 1..<max(1, length) {
            code = code << 6 | UInt32(byte(at: offset + index) & 0x3F)
        }
        return (Unicode.Scalar(code) ?? "\u{FFFD}", length)
    }

    /// The white space of ECMAScript beyond ASCII.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFEFF, 0x2028, 0x2029: true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
