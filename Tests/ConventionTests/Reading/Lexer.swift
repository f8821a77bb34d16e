/// Converts Swift source to tokens, and records the lines with a `///` comment.
///
/// It supports line comments, nested block comments, every form of string (single-line, multi-line,
/// raw) and regular expressions. An interpolation yields tokens like a call: `"a\(b!)"` yields the
/// literal `a`, then `(`, `b`, `!`, `)`, so that code in strings is checked, too.
struct Lexer {
    private(set) var tokens: [Token] = []
    private(set) var documentationLines: Set<Int> = []

    let bytes: [UInt8]
    var position = 0
    var line = 1
    private var isGlued = false
    /// The line in which the last token ends.
    var lastTokenLine = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
        readCode(untilClosingParenthesis: false)
    }

    /// The byte `offset` positions ahead, or 0 beyond the end.
    func peek(_ offset: Int = 0) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    /// Consumes one byte, and counts lines.
    mutating func advance() {
        if peek() == Ascii.newline { line += 1 }
        position += 1
    }

    /// Adds a token that starts at `line`; returns its index in ``tokens``.
    @discardableResult
    mutating func add(_ kind: Token.Kind, _ text: String, line: Int) -> Int {
        let isFirst = line != lastTokenLine
        tokens.append(
            Token(kind: kind, text: text, line: line, isGlued: isGlued, isFirstOnLine: isFirst))
        lastTokenLine = line
        isGlued = true
        return tokens.count - 1
    }

    /// Sets the text of a literal that was added before its end was known.
    mutating func setText(ofTokenAt index: Int, to range: Range<Int>) {
        tokens[index].text = text(range)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Reads tokens to the end of the source, or, in an interpolation, up to and including the
    /// parenthesis that closes it.
    mutating func readCode(untilClosingParenthesis: Bool) {
        var depth = 0
        while position < bytes.count {
            let byte = peek()
            if Ascii.isBlank(byte) {
                isGlued = false
                advance()
            } else if byte == Ascii.slash, peek(1) == Ascii.slash {
                skipLineComment()
            } else if byte == Ascii.slash, peek(1) == Ascii.star {
                skipBlockComment()
            } else if readLiteral() {
                continue
            } else if Ascii.isWordStart(byte) {
                readWord()
            } else if Ascii.isDigit(byte) {
                readNumber()
            } else {
                readSign()
                if byte == Ascii.openParenthesis { depth += 1 }
                if byte == Ascii.closeParenthesis { depth -= 1 }
                if untilClosingParenthesis, depth == 0 { return }
            }
        }
    }

    private mutating func skipLineComment() {
        let isDocumentation = peek(2) == Ascii.slash && peek(3) != Ascii.slash
        if isDocumentation, line != lastTokenLine { documentationLines.insert(line) }
        while position < bytes.count, peek() != Ascii.newline { position += 1 }
        isGlued = false
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if peek() == Ascii.slash, peek(1) == Ascii.star {
                depth += 1
                position += 2
            } else if peek() == Ascii.star, peek(1) == Ascii.slash {
                depth -= 1
                position += 2
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
        isGlued = false
    }

    private mutating func readWord() {
        let start = position
        if peek() == Ascii.backtick {
            repeat { position += 1 } while position < bytes.count && peek() != Ascii.backtick
            position = min(position + 1, bytes.count)
        } else {
            while Ascii.isWordStart(peek()) || Ascii.isDigit(peek()) { position += 1 }
        }
        add(.word, text(start..<position), line: line)
    }

    private mutating func readNumber() {
        let start = position
        while Ascii.isWordStart(peek()) || Ascii.isDigit(peek())
            || (peek() == Ascii.dot && Ascii.isDigit(peek(1)))
        {
            position += 1
        }
        add(.number, text(start..<position), line: line)
    }

    private mutating func readSign() {
        add(.sign, text(position..<position + 1), line: line)
        position += 1
    }
}
