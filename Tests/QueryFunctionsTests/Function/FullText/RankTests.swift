import SQLCore
import StoreFormat
internal import StorePlatform
import Testing

@Suite("Scores of full-text matches")
struct RankTests {
    private let table: FullTextTable

    init() throws {
        table = try FullTextTable("unicodesn")
        try table.insert("fox fox dog", "cat")
        try table.insert("fox and a great many other words that make it long", "fox")
        try table.insert("dog", "dog dog")
    }

    private func scores(_ expression: String, _ query: String) throws -> [Double] {
        try table.values(expression, matching: query).compactMap(\.realValue)
    }

    @Test("rank is the share of all matches, summed over words and columns")
    func rank() throws {
        #expect(try scores("rank(matchinfo(t))", "fox") == [2.0 / 3, 1.0 / 3 + 1])
        #expect(try scores("rank(matchinfo(t))", "fox dog") == [2.0 / 3 + 1.0 / 2])
    }

    @Test("bm25 is Okapi's formula, where higher is better")
    func bm25() throws {
        // Column a: 3 rows, "dog" in 2 of them once each; lengths 3 and 1, average (3+11+1)/3 = 5.
        // Column b: "dog" twice in 1 row; length 2, average (1+1+2)/3 = 1 as FTS4 rounds.
        let expected = try [
            #require(Self.term(rows: 3, with: 2, count: 1, length: 3, average: 5)),
            #require(Self.term(rows: 3, with: 2, count: 1, length: 1, average: 5))
                + #require(Self.term(rows: 3, with: 1, count: 2, length: 2, average: 1)),
        ]
        let scores = try scores("bm25(matchinfo(t, 'pcnalx'))", "dog")
        #expect(scores.count == 2)
        for (score, expected) in zip(scores, expected) { #expect(abs(score - expected) < 1e-12) }
    }

    private static func term(
        rows: Double, with: Double, count: Double, length: Double, average: Double
    ) -> Double? {
        SystemMaths.logarithm(1 + (rows - with + 0.5) / (with + 0.5)) * count * 2.2
            / (count + 1.2 * (0.25 + 0.75 * length / average))
    }

    @Test("bm25 accepts a weight for each column, by default 1")
    func weights() throws {
        let both = try scores("bm25(matchinfo(t, 'pcnalx'))", "fox")
        let first = try scores("bm25(matchinfo(t, 'pcnalx'), 1, 0)", "fox")
        let second = try scores("bm25(matchinfo(t, 'pcnalx'), 0)", "fox")
        #expect(first[0] == both[0])
        #expect(second[0] == 0)
        #expect(abs(first[1] + second[1] - both[1]) < 1e-12)
        #expect(try scores("bm25(matchinfo(t, 'pcnalx'), 2, 2)", "fox") == both.map { 2 * $0 })
    }

    @Test("are 0 without matches, and an error for invalid match information")
    func garbage() throws {
        for function in ["rank", "bm25"] {
            for nothing in ["x''", "NULL"] {
                #expect(
                    try table.context.selectValue(sql: "SELECT \(function)(\(nothing))")
                        == .real(0))
            }
            for garbage in [
                "x'01'", "'text'", "7", "zeroblob(4)", "x'ffffffffffffffff'",
                "x'ffffffffffffffff' || zeroblob(64)", "x'0100000001000000'",
                "x'01000000010000000000000000000000'", "zeroblob(24)",
                "x'00000080000000800000000000000000'",
            ] {
                #expect(throws: SQLError.self, "\(function)(\(garbage))") {
                    try table.context.selectValue(sql: "SELECT \(function)(\(garbage))")
                }
            }
        }
        #expect(throws: SQLError.self) { try table.context.selectValue(sql: "SELECT bm25()") }
        // Each other's blobs have another length.
        #expect(throws: SQLError.self) { try scores("rank(matchinfo(t, 'pcnalx'))", "fox") }
        #expect(throws: SQLError.self) { try scores("bm25(matchinfo(t))", "fox") }
    }
}
