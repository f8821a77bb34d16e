/// Splits SQL++ text into tokens.
///
/// A comment is `/* … */`, or `--` and the rest of the line. A blank must follow `--`, since `--5`
/// is a number with two signs.
struct SQLPPLexer {
    let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) {
        self.text = text
    }

    /// All tokens of a text; the last one is `.end` or `.invalid`.
    static func tokens(of text: [UInt8]) -> [SQLPPToken] {
        var lexer = Self(text)
        var tokens: [SQLPPToken] = []
        tokens.reserveCapacity(text.count / 4 + 1)
        while true {
            let token = lexer.next()
            tokens.append(token)
            switch token.kind {
            case .end, .invalid: return tokens
            default: continue
            }
        }
    }

    private func byte(_ offset: Int = 0) -> UInt8? {
        position + offset < text.count ? text[position + offset] : nil
    }

    private func token(_ kind: SQLPPToken.Kind, from start: Int) -> SQLPPToken {
        SQLPPToken(kind: kind, range: start..<position)
    }

    private mutating func next() -> SQLPPToken {
        if let comment = skipBlanks() { return comment }
        let start = position
        guard let first = byte() else { return token(.end, from: start) }
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            return quoted(by: first, as: .string, unless: .openString)
        case UInt8(ascii: "`"):
            return quoted(by: first, as: .quotedName, unless: .openName)
        case UInt8(ascii: "$"):
            position += 1
            skip(while: \.isWordByte)
            let isNamed = position > start + 1
            return token(isNamed ? .parameter : .invalid(.namelessParameter), from: start)
        case _ where first.isDigit || first == UInt8(ascii: ".") && byte(1)?.isDigit == true:
            return number()
        case _ where first.isWordByte:
            skip { $0.isWordByte || $0 == UInt8(ascii: "$") }
            let keyword = SQLPPKeyword(text[start..<position])
            return token(keyword.map { .keyword($0) } ?? .name, from: start)
        default: return symbol(first)
        }
    }

    private mutating func skip(while isPart: (UInt8) -> Bool) {
        while let byte = byte(), isPart(byte) { position += 1 }
    }

    /// Skips blanks and comments; returns a token if a comment is not closed.
    private mutating func skipBlanks() -> SQLPPToken? {
        while let first = byte() {
            if first.isBlank {
                position += 1
            } else if first == UInt8(ascii: "-"), byte(1) == first, byte(2)?.isBlank ?? true {
                skip { $0 != UInt8(ascii: "\n") }
            } else if first == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                let start = position
                guard skipComment() else { return token(.invalid(.openComment), from: start) }
            } else {
                return nil
            }
        }
        return nil
    }

    private mutating func skipComment() -> Bool {
        position += 2
        while let first = byte() {
            if first == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                position += 2
                return true
            }
            position += 1
        }
        return false
    }

    /// A doubled quote does not end it.
    private mutating func quoted(
        by quote: UInt8, as kind: SQLPPToken.Kind, unless problem: SQLPPToken.Problem
    ) -> SQLPPToken {
        let start = position
        position += 1
        while let next = byte() {
            position += 1
            guard next == quote else { continue }
            guard byte() == quote else { return token(kind, from: start) }
            position += 1
        }
        return token(.invalid(problem), from: start)
    }

    private mutating func number() -> SQLPPToken {
        let start = position
        var kind = SQLPPToken.Kind.integer
        skip(while: \.isDigit)
        if byte() == UInt8(ascii: "."), byte(1)?.isWordByte != true || byte(1)?.isDigit == true {
            kind = .real
            position += 1
            skip(while: \.isDigit)
        }
        if let exponent = byte(), exponent | 0x20 == UInt8(ascii: "e") {
            let hasSign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
            if byte(hasSign ? 2 : 1)?.isDigit == true {
                kind = .real
                position += hasSign ? 2 : 1
                skip(while: \.isDigit)
            }
        }
        guard byte()?.isWordByte == true else { return token(kind, from: start) }
        skip(while: \.isWordByte)
        return token(.invalid(.gluedNumber), from: start)
    }

    private mutating func symbol(_ first: UInt8) -> SQLPPToken {
        let start = position
        if let symbol = Self.pair(first, byte(1)) ?? Self.sign(first) {
            position += symbol.rawValue.utf8.count
            return token(.symbol(symbol), from: start)
        }
        // Includes all bytes of a non-ASCII character.
        position += 1
        skip { $0 & 0xC0 == 0x80 }
        return token(.invalid(.character), from: start)
    }
}

extension SQLPPLexer {
    /// The symbol of two bytes.
    private static func pair(_ first: UInt8, _ second: UInt8?) -> SQLPPToken.Symbol? {
        guard let second else { return nil }
        return switch (Unicode.Scalar(first), Unicode.Scalar(second)) {
        case ("|", "|"): .concatenate
        case ("<", "="): .lessOrEqual
        case (">", "="): .greaterOrEqual
        case ("!", "="): .notEqual
        case ("<", ">"): .lessOrGreater
        case ("=", "="): .doubleEqual
        case ("<", "<"): .shiftLeft
        case (">", ">"): .shiftRight
        default: nil
        }
    }

    /// The symbol of one byte.
    private static func sign(_ byte: UInt8) -> SQLPPToken.Symbol? {
        switch Unicode.Scalar(byte) {
        case "=": .equal
        case "<": .less
        case ">": .greater
        case "+": .plus
        case "-": .minus
        case "*": .star
        case "/": .slash
        case "%": .percent
        case "&": .ampersand
        case "|": .bar
        case "(": .leftParenthesis
        case ")": .rightParenthesis
        case "[": .leftBracket
        case "]": .rightBracket
        case "{": .leftBrace
        case "}": .rightBrace
        case ",": .comma
        case ".": .dot
        case ":": .colon
        case ";": .semicolon
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self >= 0x09 && self <= 0x0D }

    fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }

    /// A letter, digit or underscore.
    fileprivate var isWordByte: Bool {
        isDigit || self >= 0x41 && self <= 0x5A || self >= 0x61 && self <= 0x7A || self == 0x5F
    }
}
