import SQLCore
import Testing

@Suite("Highlighted matches")
struct HighlightTests {
    private let table: FullTextTable

    init() throws {
        table = try FullTextTable()
    }

    private func highlighted(_ query: String, column: Int? = nil) throws -> [String?] {
        let name = column == 1 ? "b" : "a"
        let number = column.map { ", \($0)" } ?? ""
        return try table.values(
            "fl_highlight(\(name), offsets(t), '[', ']'\(number))", matching: query
        ).map(\.textValue)
    }

    @Test("are the original words, even if they are folded and stemmed")
    func words() throws {
        try table.insert("The Café’s FOXES were running; a fox ran.", "Foxes!")
        #expect(
            try highlighted("fox cafe run")
                == ["The [Café]’s [FOXES] were [running]; a [fox] ran."])
        #expect(try highlighted("fox", column: 1) == ["[Foxes]!"])
        #expect(try highlighted("fox", column: 7) == ["The Café’s FOXES were running; a fox ran."])
    }

    @Test("SQLite's snippet marks the same words")
    func snippet() throws {
        try table.insert("ÉTÉ: the FOXES slept")
        #expect(
            try table.values("snippet(t, '[', ']')", matching: "ete fox")
                == [.text("[ÉTÉ]: the [FOXES] slept")])
    }

    @Test("a word that matches twice is marked once")
    func overlaps() throws {
        try table.insert("foxes")
        #expect(try highlighted("fox OR foxe* OR fox*") == ["[foxes]"])
    }

    @Test(
        "offsets outside of the text are ignored",
        arguments: [
            ("0 0 9 1", "aéb"), ("0 0 1 1", "aéb"), ("0 0 2 1", "aéb"), ("0 0 0 4", "[aéb]"),
            ("0 0 0 5", "aéb"), ("0 0 1 2", "a[é]b"), ("0 0 1 0", "aéb"), ("0 0 -1 2", "aéb"),
            ("0 0 99999999999999999999999999 99999999999999999999", "aéb"), ("", "aéb"),
            ("0 0 0", "aéb"), ("x", "aéb"), ("0 0 3 1 0 1 0 1", "[a]é[b]"),
            ("0 0 0 3 0 0 1 3", "[aéb]"), ("1 0 0 1", "aéb"),
        ])
    func strange(offsets: String, expected: String) throws {
        #expect(
            try table.context.selectValue(
                sql: "SELECT fl_highlight('aéb', ?, '[', ']')", parameters: [.text(offsets)])
                == .text(expected))
    }

    @Test("a missing text has none")
    func missing() throws {
        #expect(
            try table.context.selectValue(sql: "SELECT fl_highlight(NULL, '0 0 0 1', '<', '>')")
                == .null)
    }
}
