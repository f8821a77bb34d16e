/// Breaks text into lines that fit a terminal.
enum LineWrapping {
    /// The text in lines of at most so many cells, broken at spaces.
    ///
    /// A word that is longer stands alone, whole: terminals go on in the next line, and what is
    /// copied there stays a path.
    static func lines(_ text: String, _ cells: Int) -> [String] {
        guard DisplayWidth.cells(text) > cells else { return [text] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ") {
            let width = DisplayWidth.cells(word)
            if !line.isEmpty, used + 1 + width <= cells {
                line += " \(word)"
                used += 1 + width
            } else {
                if !line.isEmpty { lines.append(line) }
                (line, used) = (String(word), width)
            }
        }
        return lines + [line]
    }
}
