package import DocumentStore

/// The number of terminal cells that a text occupies.
///
/// Uses Unicode's East Asian Width (UAX #11): wide and fullwidth characters and emoji occupy two
/// cells, combining marks none.
package enum DisplayWidth {
    /// The number of cells of a text without control characters.
    package static func cells(_ text: some StringProtocol) -> Int {
        // Fast path for ASCII.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + cells($1) }
    }

    private static func cells(_ character: Character) -> Int {
        var widest = 0
        for scalar in character.unicodeScalars {
            // The variation selector for emoji presentation.
            if scalar.value == 0xFE0F { return 2 }
            widest = max(widest, cells(scalar))
        }
        return widest
    }

    private static func cells(_ scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Blocks whose characters are wide or fullwidth.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
        0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
        0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18AFF, 0x1B000...0x1B2FF,
        0x1F200...0x1F2FF, 0x20000...0x3FFFD,
    ]

    /// Truncates a text to a number of cells, with `…` at the end if it was truncated.
    package static func fitted(_ text: String, _ cells: Int) -> String {
        guard Self.cells(text) > cells else { return text }
        guard cells > 0 else { return "" }
        var result = ""
        var used = 1
        for character in text {
            used += Self.cells(character)
            guard used <= cells else { break }
            result.append(character)
        }
        return result + "…"
    }

    /// Pads a text with spaces to a number of cells.
    package static func padded(_ text: String, _ cells: Int, toRight: Bool = false) -> String {
        let gap = String(repeating: " ", count: max(0, cells - Self.cells(text)))
        return toRight ? gap + text : text + gap
    }
}

/// The line of a query with an error, with a mark below the position of the error.
package enum SyntaxMark {
    private static let margin = 2

    /// The two lines, truncated to the columns.
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
        let space = max(columns - margin, 4)
        if DisplayWidth.cells(before) > space / 2 {
            before = "…" + ending(before, space / 2)
        }
        let indent = String(repeating: " ", count: margin)
        let shown = DisplayWidth.fitted(before + after, space)
        let gap = String(repeating: " ", count: DisplayWidth.cells(before))
        return [indent + shown, indent + gap + "^"]
    }

    /// The end of a text that fits a number of cells.
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

    /// Shows the mark of an error that has a position in the text of a query.
    package static func show(_ error: StoreError, in text: String) {
        guard let (line, column) = error.positionInQuery else { return }
        show(text, line: line, column: column)
    }

    /// Shows the mark at a terminal; programs get only the message, which contains the position.
    package static func show(_ text: String, line: Int, column: Int) {
        guard StandardError.current.isTerminal, !StandardError.current.isJSON else { return }
        let columns = System.terminalSize(StandardError.current.descriptor)?.columns ?? 80
        for line in lines(text, line: line, column: column, columns: columns) {
            StandardError.current.writeUnprefixed(line)
        }
    }
}

extension StoreError {
    /// The position in the text of a query, if it is an error of syntax or of meaning there.
    var positionInQuery: (line: Int, column: Int)? {
        switch underlying {
        case let error as QuerySyntaxError: (error.line, error.column)
        case let error as QuerySemanticError: (error.line, error.column)
        default: nil
        }
    }
}
