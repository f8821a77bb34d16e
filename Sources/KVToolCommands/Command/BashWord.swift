internal import KVToolCore

/// A word of a command line with its quotes, up to the cursor, as bash reads it.
///
/// Nothing is expanded: `$`, `` ` `` and `~` stand for themselves.
struct BashWord {
    /// The quote that is open at the end of the word.
    enum Quote {
        case none, single, double
        /// `$'…'`
        case ansi
    }

    /// The word without its quotes.
    private(set) var text = ""
    private(set) var quote = Quote.none

    init(_ raw: some StringProtocol) {
        var rest = Array(raw.unicodeScalars)[...]
        while let scalar = rest.popFirst() { add(scalar, &rest) }
    }

    private mutating func add(_ scalar: Unicode.Scalar, _ rest: inout ArraySlice<Unicode.Scalar>) {
        switch (quote, scalar) {
        case (.none, "'"): quote = .single
        case (.none, "\""): quote = .double
        case (.none, "$") where rest.first == "'":
            quote = .ansi
            rest.removeFirst()
        case (.none, "\\"), (.ansi, "\\"):
            if let next = rest.popFirst() { text.unicodeScalars.append(next) }
        case (.double, "\\") where rest.first.map(Self.isEscapable) == true:
            text.unicodeScalars.append(rest.removeFirst())
        case (.single, "'"), (.ansi, "'"), (.double, "\""): quote = .none
        default: text.unicodeScalars.append(scalar)
        }
    }

    private static func isEscapable(_ scalar: Unicode.Scalar) -> Bool {
        "$`\"\\\n".unicodeScalars.contains(scalar)
    }
}

// What bash inserts into the line must stand for the candidate; no part of it may be executed.
extension BashWord {
    /// Returns the candidates for a word as replacements for the part that bash completes.
    ///
    /// - Parameters:
    ///   - candidates: whole words; those that do not begin with the word typed so far are omitted.
    ///   - raw: the word up to the cursor, as typed.
    ///   - part: the end of `raw` that bash completes: what follows an open quote or a character
    ///     of `COMP_WORDBREAKS`.
    static func replacements(_ candidates: [String], raw: String, part: String) -> [String] {
        guard raw.utf8.count >= part.utf8.count,
            raw.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
        else { return [] }
        let head = BashWord(String(decoding: raw.utf8.dropLast(part.utf8.count), as: UTF8.self))
        let typed = BashWord(raw).text
        let rests = candidates.filter { $0.utf8.starts(with: typed.utf8) }.map {
            String(decoding: $0.utf8.dropFirst(head.text.utf8.count), as: UTF8.self)
        }
        switch head.quote {
        // All are quoted in the same way, so that their common prefix is valid for each of them.
        case .none where rests.allSatisfy(isPlain): return rests
        case .none: return rests.map { "'" + singleQuoted($0) + "'" }
        case .single: return closed(rests.map(singleQuoted), "'")
        case .double: return closed(rests.map(doubleQuoted), "\"")
        case .ansi: return []
        }
    }

    /// Readline closes the quote of a single candidate, unless the candidate ends with that quote.
    private static func closed(_ rests: [String], _ quote: Character) -> [String] {
        guard rests.count == 1, rests[0].last == quote else { return rests }
        return [rests[0] + String(quote)]
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "_-./,+@%:=".unicodeScalars.contains(scalar)
        }
    }

    private static func singleQuoted(_ text: String) -> String {
        text.replacing("'", with: #"'\''"#)
    }

    /// Inside double quotes a backslash does not escape an exclamation mark.
    private static func doubleQuoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "!": result += "\"'!'\""
            case "$", "`", "\"", "\\": result += "\\\(scalar)"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
