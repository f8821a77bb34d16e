package import SampleData

/// Strings that would end the literal or name that contains them, if they were not escaped.
package struct HostileStrings {
    package var random: SeededGenerator

    package init(random: SeededGenerator) { self.random = random }

    private static let pieces = [
        "'", "''", "\"", "\"\"", "`", "]", "[", ")", "(", ";", "--", "/*", "*/", "\\", "\\'", ".",
        "$", "?", ":a", "@a", "\n", "\r", "\t", " ", "\0", "\u{FEFF}", "\u{2019}", "\u{301}", "é",
        "\u{1F600}", "DROP TABLE kv_default", "SELECT 1", " OR 1=1", "UNION", "a", "0x", "E'", "%",
    ]

    package mutating func next() -> String {
        (0...random.below(6)).map { _ in random.pick(Self.pieces) }.joined()
    }
}
