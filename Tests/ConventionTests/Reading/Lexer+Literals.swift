extension Lexer {
    /// Reads the string or regular expression that starts here, if there is one.
    mutating func readLiteral() -> Bool {
        var hashes = 0
        while peek(hashes) == Ascii.hash { hashes += 1 }
        switch peek(hashes) {
        case Ascii.quote: readString(hashes: hashes)
        case Ascii.slash where hashes > 0: readExtendedRegex(hashes: hashes)
        case Ascii.slash where regexMayBeginHere(): return readRegex()
        default: return false
        }
        lastTokenLine = line
        return true
    }

    /// Reads a string from its opening delimiter, including the `hashes` before it, to its end. An
    /// unterminated one ends with its line.
    private mutating func readString(hashes: Int) {
        let isMultiline = multilineStringBegins(after: hashes)
        let quotes = isMultiline ? 3 : 1
        let token = add(.literal, "", line: line)
        position += hashes + quotes
        let start = position
        var headEnd: Int?
        while position < bytes.count {
            if closes(Ascii.quote, count: quotes, hashes: hashes) {
                setText(ofTokenAt: token, to: start..<(headEnd ?? position))
                position += quotes + hashes
                return
            }
            if peek() == Ascii.newline, !isMultiline { break }
            if peek() == Ascii.backslash, count(of: Ascii.hash, from: 1) >= hashes {
                readEscape(hashes: hashes, headEnd: &headEnd)
            } else {
                advance()
            }
        }
        setText(ofTokenAt: token, to: start..<(headEnd ?? position))
    }

    /// Reads `\n`, `\"`, `\(…)` and the like, with the string's hashes after the `\`.
    private mutating func readEscape(hashes: Int, headEnd: inout Int?) {
        if peek(1 + hashes) == Ascii.openParenthesis {
            headEnd = headEnd ?? position
            position += 1 + hashes
            readCode(untilClosingParenthesis: true)
        } else {
            position += 1 + hashes
            if peek() != Ascii.newline { position = min(position + 1, bytes.count) }
        }
    }

    /// Whether three quotes open a multi-line string: only if nothing follows them on their line.
    private func multilineStringBegins(after hashes: Int) -> Bool {
        guard count(of: Ascii.quote, from: hashes) >= 3 else { return false }
        var offset = hashes + 3
        while Ascii.isBlank(peek(offset)), peek(offset) != Ascii.newline { offset += 1 }
        return peek(offset) == Ascii.newline
    }

    /// Reads `#/ … /#`, on one line or several.
    private mutating func readExtendedRegex(hashes: Int) {
        let token = add(.literal, "", line: line)
        position += hashes + 1
        let start = position
        while position < bytes.count, !closes(Ascii.slash, count: 1, hashes: hashes) {
            if peek() == Ascii.backslash { position += 1 }
            advance()
        }
        let end = min(position, bytes.count)
        setText(ofTokenAt: token, to: start..<end)
        position = min(end + 1 + hashes, bytes.count)
    }

    /// A `/` is a division after a value; it opens a regular expression after an operator, an
    /// opening bracket or a word like `return`, unless a blank or a closing bracket follows.
    private func regexMayBeginHere() -> Bool {
        let next = peek(1)
        guard !Ascii.isBlank(next), next != Ascii.closeParenthesis, next != Ascii.comma else {
            return false
        }
        guard let before = tokens.last else { return true }
        switch before.kind {
        case .sign: return "(,=:[{!&|?;".contains(before.text)
        case .word: return ["return", "in", "case", "if", "try"].contains(before.text)
        case .number, .literal: return false
        }
    }

    /// Reads `/ … /` on one line; false if there is no second slash, as in an operator's name.
    private mutating func readRegex() -> Bool {
        var end = position + 1
        while end < bytes.count, bytes[end] != Ascii.slash {
            if bytes[end] == Ascii.newline { return false }
            end += bytes[end] == Ascii.backslash ? 2 : 1
        }
        guard end < bytes.count else { return false }
        add(.literal, text(position + 1..<end), line: line)
        position = end + 1
        return true
    }

    private func closes(_ delimiter: UInt8, count needed: Int, hashes: Int) -> Bool {
        count(of: delimiter, from: 0, limit: needed) == needed
            && count(of: Ascii.hash, from: needed, limit: hashes) == hashes
    }

    private func count(of byte: UInt8, from offset: Int, limit: Int = .max) -> Int {
        var count = 0
        while count < limit, peek(offset + count) == byte { count += 1 }
        return count
    }
}
