/// A Swift file, read once for all rules.
struct SourceFile: Sendable {
    /// The path from the package's root: `Sources/SQLCore/Value.swift`.
    let path: String
    let lines: [Substring]
    let tokens: [Token]

    /// The lines that contain only a `///` comment.
    let documentationLines: Set<Int>

    init(path: String, text: String) {
        let lexer = Lexer(text)
        self.path = path
        tokens = lexer.tokens
        documentationLines = lexer.documentationLines
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last == "" { lines.removeLast() }
        self.lines = lines
    }

    var isInSources: Bool { path.hasPrefix("Sources/") }

    /// The directory below `Sources` that contains it; `nil` for a test.
    var target: String? {
        let parts = path.split(separator: "/")
        return isInSources && parts.count > 2 ? String(parts[1]) : nil
    }

    func finding(_ line: Int, _ message: String) -> Finding {
        Finding(path: path, line: line, message: message)
    }

    func token(at index: Int) -> Token? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }
}
