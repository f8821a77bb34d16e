/// The text of a query, as it stands on a command line.
package enum StatementText {
    /// A query can hardly be longer.
    private static let maximum = 1 << 24

    /// The words with a space between them, as a shell has taken them apart; what a file holds for
    /// `@FILE` alone, standard input for `-` alone.
    ///
    /// Throws for words that say nothing.
    package static func read(_ words: [String]) throws -> String {
        guard words.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
            throw ToolError(
                "the statement is empty: give its text, @FILE or - for standard input",
                status: .usage)
        }
        guard words.count == 1, let word = words.first else { return words.joined(separator: " ") }
        if word == "-" { return try contents("-") }
        guard word.hasPrefix("@"), word.utf8.count > 1 else { return word }
        return try contents(String(word.dropFirst()))
    }

    private static func contents(_ path: String) throws -> String {
        let bytes = try InputFile.contents(of: path, maximum: maximum)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ToolError("\(path == "-" ? "standard input" : path) is not UTF-8")
        }
        return text
    }
}
