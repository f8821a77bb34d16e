internal import StorePlatform

extension JSON5Reader {
    /// Reads a string in single or double quotes.
    mutating func readString() throws {
        let start = position
        let quote = next
        position += 1
        output.append("\"")
        while next != quote || position == input.count {
            guard position < input.count else { throw error("unterminated string", at: start) }
            switch next {
            case UInt8(ascii: "\\"): try readEscape()
            case 0x0A, 0x0D: throw error("a line end in a string must be escaped")
            default:
                append(next)
                position += 1
            }
        }
        position += 1
        output.append("\"")
    }

    private mutating func readEscape() throws {
        let start = position
        position += 1
        let lineEnd = lineEnd(at: position)
        guard lineEnd == 0 else { return position += lineEnd }
        let letter = next
        guard position < input.count else { throw unexpected("an escape is expected") }
        position += 1
        switch letter {
        case UInt8(ascii: "b"): append(0x08)
        case UInt8(ascii: "f"): append(0x0C)
        case UInt8(ascii: "n"): append(0x0A)
        case UInt8(ascii: "r"): append(0x0D)
        case UInt8(ascii: "t"): append(0x09)
        case UInt8(ascii: "v"): append(0x0B)
        case UInt8(ascii: "x"): append(Unicode.Scalar(UInt8(try readHex(digits: 2))))
        case UInt8(ascii: "u"): append(try readUnicodeEscape(from: start))
        case UInt8(ascii: "0") where !Self.isDigit(next): append(0)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            throw error("an octal escape, which JSON5 does not have", at: start)
        default: append(letter)
        }
    }

    /// Reads an escape after its `u`, or two if they are a surrogate pair, and returns the scalar.
    private mutating func readUnicodeEscape(from start: Int) throws -> Unicode.Scalar {
        var code = try readHex(digits: 4)
        if 0xD800...0xDBFF ~= code, takes("\\u") {
            let low = try readHex(digits: 4)
            guard 0xDC00...0xDFFF ~= low else { throw error("an unpaired surrogate", at: start) }
            code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else {
            throw error("an unpaired surrogate", at: start)
        }
        return scalar
    }

    private mutating func readHex(digits: Int) throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = Hexadecimal.value(of: next) else {
                throw unexpected("\(digits) hexadecimal digits are expected")
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}

extension JSON5Reader {
    /// Reads a key without quotes: an ECMAScript identifier, which may be a reserved word.
    mutating func readIdentifier() throws {
        let start = position
        output.append("\"")
        while true {
            if next == UInt8(ascii: "\\") {
                let escape = position
                position += 1
                guard takes("u") else {
                    throw error("only \\u escapes are allowed in a key", at: escape)
                }
                let scalar = try readUnicodeEscape(from: escape)
                guard Self.isIdentifierPart(scalar, isFirst: escape == start) else {
                    throw error("a key with this character must be quoted", at: escape)
                }
                append(scalar)
            } else if let (scalar, length) = identifierPart(
                at: position, isFirst: position == start)
            {
                append(scalar)
                position += length
            } else {
                break
            }
        }
        guard position > start else { throw unexpected("a key is expected") }
        output.append("\"")
    }

    /// The part of an identifier at an offset; nil if there is none.
    func identifierPart(
        at offset: Int, isFirst: Bool = false
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        guard offset < input.count else { return nil }
        let found = scalar(at: offset)
        return Self.isIdentifierPart(found.scalar, isFirst: isFirst) ? found : nil
    }

    private static func isIdentifierPart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "$", "_", "a"..."z", "A"..."Z": return true
        case "0"..."9": return !isFirst
        case "\u{200C}", "\u{200D}": return !isFirst
        default: break
        }
        guard !scalar.isASCII else { return false }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .letterNumber:
            return true
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: return !isFirst
        default: return false
        }
    }
}

extension JSON5Reader {
    /// Appends a byte of a string, escaped where JSON requires it.
    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): output.append("\\\"")
        case UInt8(ascii: "\\"): output.append("\\\\")
        case 0..<0x20:
            output.append(byte < 0x10 ? "\\u000" : "\\u001")
            output.utf8.append(UInt8(ascii: "0") + byte % 16 + (byte % 16 < 10 ? 0 : 39))
        default: output.utf8.append(byte)
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        for byte in String(scalar).utf8 { append(byte) }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
}
