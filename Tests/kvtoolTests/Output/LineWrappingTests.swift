import Testing

@testable import KVToolCore

@Suite("Lines that fit a terminal")
struct LineWrappingTests {
    @Test(
        "are broken at spaces, and a long word gets its own line",
        arguments: [
            ("a b c", 5, ["a b c"]), ("a b c", 3, ["a b", "c"]), ("a b c", 1, ["a", "b", "c"]),
            ("one /a/long/path two", 6, ["one", "/a/long/path", "two"]),
            ("日本 日本", 5, ["日本", "日本"]), ("日本 日本", 9, ["日本 日本"]), ("", 3, [""]),
        ])
    func lines(_ text: String, _ cells: Int, _ expected: [String]) {
        #expect(LineWrapping.lines(text, cells) == expected)
    }

    @Test("headings have their values aligned, or directly after them if there is no space")
    func headings() {
        let pairs = [
            ("Name", "Ada"), ("Indexes", "byAge (value), byStreet (full-text)"), ("", "more"),
        ]
        #expect(
            Headings.lines(pairs, nil) == [
                "Name:    Ada", "Indexes: byAge (value), byStreet (full-text)", "         more",
            ])
        #expect(
            Headings.lines(pairs, 30) == [
                "Name:    Ada", "Indexes: byAge (value),", "         byStreet (full-text)",
                "         more",
            ])
        #expect(
            Headings.lines(pairs, 20) == [
                "Name: Ada", "Indexes: byAge", "(value), byStreet", "(full-text)", "more",
            ])
    }

    @Test("info has a line for each field on a narrow terminal")
    func narrow() throws {
        let columns = 20
        let database = try SampleDatabase(people: 2)
        try database.run("mkindex", "byAge", "age").success()
        let terminal = try PseudoTerminal(
            ["info", database.path, "--color", "never"], columns: columns)
        let end = try terminal.end()
        #expect(end.status == 0)
        let lines = end.output.replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.contains { $0.contains("Shared keys:") })
        // Only a word that is too long for a line, such as the path, exceeds the width.
        for line in lines where line.count > columns {
            #expect(!line.contains(" "), "\(line)")
        }
    }
}
