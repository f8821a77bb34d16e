internal import KVToolCore

/// Looks through a line of the shell for what stands outside of quotes, brackets and comments.
///
/// Good for statements, JSON and words alike: `'…'`, `"…"` and `` `…` `` are quotes; a backslash
/// takes the character after it as it is, but in statements, which know none.
struct ShellScanner {
    /// How a text is quoted.
    enum Kind {
        /// SQL++: comments, quotes that are doubled.
        case statement
        /// JSON: quotes with backslashes, no comments.
        case json
        /// Words: no brackets.
        case words
    }

    /// A sign outside of everything.
    struct Sign: Equatable {
        /// `;`, `|`, `>` or `>>`.
        var text: String
        /// In bytes.
        var offset: Int
    }

    private let bytes: [UInt8]
    private let kind: Kind
    private var place = 0
    private var depth = 0
    private(set) var signs: [Sign] = []
    /// Whether a quote, a bracket or a comment is still open at the end.
    private(set) var isOpen = false

    init(_ text: some StringProtocol, _ kind: Kind) {
        bytes = Array(text.utf8)
        self.kind = kind
        if kind == .statement { place = Self.endOfOptions(text) }
        while place < bytes.count { step() }
        if depth > 0 { isOpen = true }
    }

    /// Where the options end that stand between a command and its statement, in bytes: `--yes` is
    /// no comment there.
    private static func endOfOptions(_ text: some StringProtocol) -> Int {
        let words = text.split(whereSeparator: \.isWhitespace).dropFirst()
        let options = words.prefix {
            $0.hasPrefix("--") && $0.dropFirst(2).first?.isLetter == true
        }
        return options.last.map { text.utf8.distance(from: text.startIndex, to: $0.endIndex) } ?? 0
    }

    private mutating func step() {
        switch bytes[place] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): skipQuoted()
        case UInt8(ascii: "`") where kind == .statement: skipQuoted()
        case UInt8(ascii: "\\") where kind == .words: place += 2
        case UInt8(ascii: "-") where kind == .statement && next == UInt8(ascii: "-"):
            skipLine()
        case UInt8(ascii: "/") where kind == .statement && next == UInt8(ascii: "*"):
            skipComment()
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): bracket(1)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): bracket(-1)
        case UInt8(ascii: "|"): bar()
        case UInt8(ascii: ">"): sign(next == UInt8(ascii: ">") ? ">>" : ">")
        case UInt8(ascii: ";"): sign(";")
        default: place += 1
        }
    }

    private var next: UInt8? { place + 1 < bytes.count ? bytes[place + 1] : nil }

    private mutating func bracket(_ step: Int) {
        if kind != .words { depth = max(0, depth + step) }
        place += 1
    }

    private mutating func sign(_ text: String) {
        if depth == 0 { signs.append(Sign(text: text, offset: place)) }
        place += text.utf8.count
    }

    /// Two of them join texts.
    private mutating func bar() {
        guard next == UInt8(ascii: "|") else { return sign("|") }
        place += 2
    }

    private mutating func skipQuoted() {
        let quote = bytes[place]
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == quote { return }
            if byte == UInt8(ascii: "\\"), kind != .statement { place += 1 }
        }
        isOpen = true
    }

    private mutating func skipLine() {
        while place < bytes.count, bytes[place] != 0x0A { place += 1 }
    }

    private mutating func skipComment() {
        place += 2
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                place += 2
                return
            }
            place += 1
        }
        isOpen = true
    }
}
