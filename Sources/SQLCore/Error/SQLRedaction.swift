/// Removes values and keys from statements and messages.
package enum SQLRedaction {
    /// The statement with `?` in place of each number, string and blob, and without comments. Names
    /// remain, including those in double quotes.
    static func redacted(_ sql: String) -> String {
        var reader = Reader(bytes: Array(sql.utf8))
        return String(decoding: reader.read(), as: UTF8.self)
    }

    /// A message with `?` in place of each part in single or double quotes.
    static func redactedMessage(_ message: String) -> String {
        var output = ""
        var quote: Unicode.Scalar?
        var previous: Unicode.Scalar = " "
        for scalar in message.unicodeScalars {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" && !previous.properties.isAlphabetic {
                // An apostrophe after a letter, as in "can't", does not start a quoted part.
                quote = scalar
                output += "?"
            } else {
                output.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return output
    }

    /// The statement as an error may contain it.
    static func shown(_ sql: String) -> String { mayHoldKey(sql) ? statementWithKey : sql }

    /// The text that replaces a statement with a key in errors and traces.
    static let statementWithKey = "a statement with a key, which is not shown"

    /// Whether a statement may contain the key of a file: a key pragma, or `ATTACH … KEY`, with any
    /// quoting. Such a statement is never shown.
    package static func mayHoldKey(_ sql: String) -> Bool {
        // Without comments, which can be between the words; and in full, since a string here can be
        // a statement that is executed elsewhere.
        givesKey(allWords(redacted(sql))) || givesKey(allWords(sql))
    }

    /// Whether a statement is a pragma that sets the key of a file.
    static func isPragmaOfKey(_ sql: String) -> Bool {
        let text = redacted(sql).lowercased().filter { !$0.isWhitespace && !"\"`[]".contains($0) }
        guard text.hasPrefix("pragma") else { return false }
        let rest = text.dropFirst("pragma".count)
        guard let end = rest.firstIndex(where: { $0 == "=" || $0 == "(" }) else { return false }
        let name = rest[..<end]
        return keyPragmas.contains(String(name.split(separator: ".").last ?? name))
    }

    private static let keyPragmas: Set = [
        "key", "rekey", "hexkey", "hexrekey", "textkey", "textrekey",
    ]

    private static func allWords(_ sql: String) -> [String] {
        sql.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    }

    private static func givesKey(_ words: [String]) -> Bool {
        let givesKey = words.indices.contains { index in
            // The schema name can be between the two words.
            words[index] == "pragma"
                && words[index...].dropFirst().prefix(2).contains(where: keyPragmas.contains)
        }
        return givesKey || words.contains("attach") && words.contains("key")
    }

    /// Whether a statement is `ATTACH … AS … KEY …`; a file or schema named `key` does not count.
    static func attachesWithKey(_ sql: String) -> Bool {
        let words = words(redacted(sql))
        guard words.first == "attach" else { return false }
        return words.indices.dropFirst(4).dropLast().contains {
            words[$0] == "key" && words[$0 - 1] != "as"
        }
    }

    /// Whether a statement is `VACUUM … INTO` of a schema other than `main`.
    static func copiesAttached(_ sql: String) -> Bool {
        let words = words(redacted(sql))
        return words.first == "vacuum" && words.count > 2 && words[1] != "into"
            && words[1] != "main" && words.contains("into")
    }

    /// The words of a redacted statement in lower case, with `?` for each quoted name and value.
    private static func words(_ sql: String) -> [String] {
        var words: [String] = []
        var quote: Character?
        var isOpen = false
        for character in sql.lowercased() {
            if let end = quote {
                if character == end { quote = nil }
            } else if "\"`[?".contains(character) {
                quote = character == "[" ? "]" : character == "?" ? nil : character
                words.append("?")
            } else if character.isLetter || character.isNumber || character == "_" {
                if isOpen {
                    words[words.count - 1].append(character)
                } else {
                    words.append(String(character))
                }
                isOpen = true
                continue
            }
            isOpen = false
        }
        return words
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0
        var output: [UInt8] = []

        mutating func read() -> [UInt8] {
            while position < bytes.count { readToken() }
            return output
        }

        private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

        private mutating func readToken() {
            switch bytes[position] {
            case UInt8(ascii: "'"):
                skipQuoted(UInt8(ascii: "'"))
                output.append(UInt8(ascii: "?"))
            case UInt8(ascii: "\""), UInt8(ascii: "`"): copyQuoted(bytes[position])
            case UInt8(ascii: "["): copyQuoted(UInt8(ascii: "]"))
            case UInt8(ascii: "-") where byte(position + 1) == UInt8(ascii: "-"):
                while position < bytes.count, bytes[position] != UInt8(ascii: "\n") {
                    position += 1
                }
            case UInt8(ascii: "/") where byte(position + 1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                skipWord(alsoPoints: true)
                output.append(UInt8(ascii: "?"))
            case let first where Self.isWord(first): copyWord()
            default:
                output.append(bytes[position])
                position += 1
            }
        }

        private static func isWord(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"),
                UInt8(ascii: "@"), UInt8(ascii: ":"), 0x80...:
                true
            default: false
            }
        }

        /// Copies a word, except the X of a blob literal.
        private mutating func copyWord() {
            let start = position
            skipWord(alsoPoints: false)
            let isBlob =
                position == start + 1 && bytes[start] | 0x20 == UInt8(ascii: "x")
                && byte(position) == UInt8(ascii: "'")
            if !isBlob { output += bytes[start..<position] }
        }

        private mutating func skipWord(alsoPoints: Bool) {
            while position < bytes.count,
                Self.isWord(bytes[position]) || alsoPoints && bytes[position] == UInt8(ascii: ".")
            {
                position += 1
            }
        }

        /// Skips a quoted part, in which a doubled quote stands for one quote.
        private mutating func skipQuoted(_ quote: UInt8) {
            position += 1
            while position < bytes.count {
                position += 1
                guard bytes[position - 1] == quote else { continue }
                guard byte(position) == quote else { return }
                position += 1
            }
        }

        private mutating func copyQuoted(_ quote: UInt8) {
            let start = position
            skipQuoted(quote)
            output += bytes[start..<position]
        }

        private mutating func skipComment() {
            position += 2
            while position < bytes.count {
                if byte(position) == UInt8(ascii: "*"), byte(position + 1) == UInt8(ascii: "/") {
                    position += 2
                    return
                }
                position += 1
            }
        }
    }
}
