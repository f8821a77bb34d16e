internal import KVToolCore

/// A word of a line as bash reads it, with its quotes, up to the cursor.
///
/// Nothing is expanded: `$`, `` ` `` and `~` are themselves.
struct BashWord {
    /// What is open at the end.
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

// What bash puts into the line must mean the candidate, and nothing in it be obeyed.
extension BashWord {
    /// Candidates for a word as they take the place of the part that bash completes.
    ///
    /// - Parameters:
    ///   - candidates: whole words; those that do not begin as the word does are left out.
    ///   - raw: the word up to the cursor, as it stands in the line.
    ///   - part: its end, which bash completes: what stands behind an open quote, or behind a
    ///     character of `COMP_WORDBREAKS`.
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
        // All in one way, so that what they have in common is a beginning of each.
        case .none where rests.allSatisfy(isPlain): return rests
        case .none: return rests.map { "'" + singleQuoted($0) + "'" }
        case .single: return closed(rests.map(singleQuoted), "'")
        case .double: return closed(rests.map(doubleQuoted), "\"")
        case .ansi: return []
        }
    }

    /// Readline closes the quote of the only candidate, unless that seems to be done.
    private static func closed(_ texts: [String], _ quote: Character) -> [String] {
        guard texts.count == 1, texts[0].last == quote else { return texts }
        return [texts[0] + String(quote)]
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

    /// An exclamation mark has a meaning there that no backslash takes away.
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
