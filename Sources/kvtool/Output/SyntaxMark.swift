/// The line of a text that cannot be read, with a mark beneath the place where it goes wrong.
enum SyntaxMark {
    private static let margin = 2

    /// Both lines, as they fit into so many columns.
    ///
    /// - Parameters:
    ///   - text: the whole text.
    ///   - line: the line, from 1.
    ///   - column: the character in it, from 1.
    static func lines(_ text: String, line: Int, column: Int, columns: Int) -> [String] {
        let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard line >= 1, line <= all.count, column >= 1 else { return [] }
        var before = Text.line(String(all[line - 1].prefix(column - 1)))
        let after = Text.line(String(all[line - 1].dropFirst(column - 1)))
        let room = max(columns - margin, 4)
        if DisplayWidth.cells(before) > room / 2 {
            before = "…" + ending(before, room / 2)
        }
        let indent = String(repeating: " ", count: margin)
        let shown = DisplayWidth.fitted(before + after, room)
        let gap = String(repeating: " ", count: DisplayWidth.cells(before))
        return [indent + shown, indent + gap + "^"]
    }

    /// The end of a text, in so many cells.
    private static func ending(_ text: String, _ cells: Int) -> String {
        var result: [Character] = []
        var used = 0
        for character in text.reversed() {
            used += DisplayWidth.cells(String(character))
            guard used < cells else { break }
            result.append(character)
        }
        return String(result.reversed())
    }

    /// Shows it to a person; programs get the message alone, which names the place.
    static func show(_ text: String, line: Int, column: Int) {
        guard StandardError.isTerminal, !StandardError.isJSON else { return }
        let columns = System.terminalSize(System.standardError)?.columns ?? 80
        for line in lines(text, line: line, column: column, columns: columns) {
            StandardError.writeUnprefixed(line)
        }
    }
}
