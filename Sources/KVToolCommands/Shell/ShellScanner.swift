internal import KVToolCore

/// Finds what is outside of quotes, brackets and comments in a line of the shell.
///
/// It handles statements, JSON and words: `'…'`, `"…"` and `` `…` `` are quotes; a backslash
/// escapes the next character, except in statements.
struct ShellScanner {
    /// The syntax of a text.
    enum Kind {
        /// SQL++: comments, and quotes escaped by doubling.
        case statement
        /// JSON: quotes with backslashes, no comments.
        case json
        /// Words: no brackets.
        case words
    }

    /// An operator outside of quotes, brackets and comments.
    struct Sign: Equatable {
        /// `;`, `|`, `>` or `>>`.
        var text: String
        /// Offset in bytes.
        var offset: Int
    }

    private let bytes: [UInt8]
    private let kind: Kind
    private var position = 0
    private var depth = 0
    private(set) var signs: [Sign] = []
    /// Whether a quote, a bracket or a comment is still open at the end.
    private(set) var isOpen = false

    init(_ text: some StringProtocol, _ kind: Kind) {
        bytes = Array(text.utf8)
        self.kind = kind
        if kind == .statement { position = Self.endOfOptions(text) }
        while position < bytes.count { step() }
        if depth > 0 { isOpen = true }
    }

    /// Returns the end of the options between a command and its statement, in bytes: `--yes` is
    /// not a comment there.
    private static func endOfOptions(_ text: some StringProtocol) -> Int {
        let words = text.split(whereSeparator: \.isWhitespace).dropFirst()
        let options = words.prefix {
            $0.hasPrefix("--") && $0.dropFirst(2).first?.isLetter == true
        }
        return options.last.map { text.utf8.distance(from: text.startIndex, to: $0.endIndex) } ?? 0
    }

    private mutating func step() {
        switch bytes[position] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted()
        case UInt8(ascii: "`") where kind == .statement: skipQuoted()
        case UInt8(ascii: "\\") where kind == .words: position += 2
        case UInt8(ascii: "-") where kind == .statement && next == UInt8(ascii: "-"):
            skipLine()
        case UInt8(ascii: "/") where kind == .statement && next == UInt8(ascii: "*"):
            skipComment()
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): bracket(1)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): bracket(-1)
        case UInt8(ascii: "|"): bar()
        case UInt8(ascii: ">"): sign(next == UInt8(ascii: ">") ? ">>" : ">")
        case UInt8(ascii: ";"): sign(";")
        default: position += 1
        }
    }

    private var next: UInt8? { position + 1 < bytes.count ? bytes[position + 1] : nil }

    private mutating func bracket(_ step: Int) {
        if kind != .words { depth = max(0, depth + step) }
        position += 1
    }

    private mutating func sign(_ text: String) {
        if depth == 0 { signs.append(Sign(text: text, offset: position)) }
        position += text.utf8.count
    }

    /// `||` concatenates strings.
    private mutating func bar() {
        guard next == UInt8(ascii: "|") else { return sign("|") }
        position += 2
    }

    private mutating func skipQuoted() {
        let quote = bytes[position]
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return }
            if byte == UInt8(ascii: "\\"), kind != .statement { position += 1 }
        }
        isOpen = true
    }

    private mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    }

    private mutating func skipComment() {
        position += 2
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                position += 2
                return
            }
            position += 1
        }
        isOpen = true
    }
}
