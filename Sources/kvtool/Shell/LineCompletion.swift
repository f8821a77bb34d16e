/// What the Tab key does with a line.
struct LineCompletion: Equatable {
    /// How many characters before the cursor the insertion replaces.
    var replaced = 0
    var insertion = ""
    /// What is shown, if there are several that it could be.
    var list: [String] = []

    /// Completes `typed`, which stands before the cursor, to what all candidates begin with.
    ///
    /// - Parameter quoted: how a candidate is written in the line.
    init(
        typed: some StringProtocol, candidates: [String],
        quoted: (String) -> String = { $0 }
    ) {
        guard let first = candidates.first else { return }
        replaced = typed.unicodeScalars.count
        if candidates.count == 1 {
            insertion = quoted(first) + (first.hasSuffix("/") || first.hasSuffix("(") ? "" : " ")
            return
        }
        let common = candidates.dropFirst().reduce(first) { Self.common($0, $1) }
        let whole = quoted(common)
        // What was typed stays if nothing is added to it.
        insertion = whole.utf8.count > typed.utf8.count ? whole : String(typed)
        if whole.utf8.count <= typed.utf8.count { list = candidates }
    }

    private static func common(_ one: String, _ other: String) -> String {
        var result = String.UnicodeScalarView()
        for (first, second) in zip(one.unicodeScalars, other.unicodeScalars) {
            guard first == second else { break }
            result.append(first)
        }
        return String(result)
    }

    /// The list in as many columns as there is room for; not more lines than anybody would read.
    func listText(columns: Int) -> String {
        let shown = list.prefix(Self.maximum).map { Text.line($0) }
        let width = (shown.map { DisplayWidth.cells($0) }.max() ?? 0) + 2
        let perLine = max(1, columns / width)
        var text = ""
        for start in stride(from: 0, to: shown.count, by: perLine) {
            let names = shown[start..<min(start + perLine, shown.count)]
            var line = names.dropLast().map { DisplayWidth.padded($0, width) }.joined()
            line += names.last ?? ""
            text += DisplayWidth.fitted(line, columns) + "\n"
        }
        return text + (list.count > Self.maximum ? "…\n" : "")
    }

    private static let maximum = 200
}
