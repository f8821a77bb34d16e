import FleeceLite
import QueryLanguage
import StoreTestSupport
import Testing

@Suite("SQL++: an expression is written", .timeLimit(.minutes(20)))
struct SQLPPWriterTests {
    @Test("and any tree reads back unchanged")
    func roundTrip() throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_121)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 5_000)
        print("SQLPPWriterTests: \(count) trees from STORE_SEED=\(seed)")
        var expressions = RandomExpressions(seed: UInt64(seed))
        for number in 0..<count {
            let expression = expressions.next(1 + number % 6)
            let text = SQLPPWriter.text(expression)
            let read = try SQLPPParser.condition(text)
            guard read != expression else { continue }
            Issue.record("tree \(number): \(text) reads back as \(ExpressionTree.text(read))")
        }
    }

    @Test(
        "with the required parentheses only",
        arguments: [
            ("((a = 1) AND ((b)))", "a = 1 AND b"), ("(a OR b) AND c", "(a OR b) AND c"),
            ("a - (b - c)", "a - (b - c)"), ("(a - b) - c", "a - b - c"),
            ("not (a like 'x')", "a NOT LIKE 'x'"), ("NOT (a = 1)", "NOT a = 1"),
            ("(NOT a) = 1", "(NOT a) = 1"), ("-(-5)", "-(-5)"), ("a in [1, 'x']", "a IN (1, 'x')"),
            ("a IN +(b.c).d", "a IN +(b.c).d"),
            ("a collate nocase", "a COLLATE (NOUNICODE NOCASE DIAC)"),
            ("SOME x IN l SATISFIES x = \"it's\" END", "ANY x IN l SATISFIES x = 'it''s' END"),
            ("`order`.`a b`[0]", "`order`.`a b`[0]"), ("count( * )", "count(*)"),
            ("CASE WHEN a THEN 1 END", "CASE WHEN a THEN 1 END"),
            ("meta().ID", "META().id"),
        ])
    func text(_ text: String, written: String) throws {
        let text = text.replacing("ID", with: "id")
        #expect(SQLPPWriter.text(try SQLPPParser.condition(text)) == written)
    }

    @Test("so that other trees keep their meaning")
    func otherTrees() {
        let (a, b, c) = (path("a"), path("b"), path("c"))
        #expect(SQLPPWriter.text(.operation(.and, [a, b, c])) == "a AND b AND c")
        #expect(SQLPPWriter.text(.operation(.in, [a, b, c])) == "a IN (b, c)")
        #expect(SQLPPWriter.text(.literal(.real(.infinity))) == "NULL")
    }

    private func path(_ name: String) -> QueryExpression {
        .property(PropertyPath([.key(name)]))
    }
}
