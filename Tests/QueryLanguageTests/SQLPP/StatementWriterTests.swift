import QueryLanguage
import StoreTestSupport
import Testing

@Suite("A statement is written", .timeLimit(.minutes(20)))
struct StatementWriterTests {
    private func run(_ name: String, _ check: (QueryStatement) throws -> String?) throws {
        let seed = TestEnvironment.number("STORE_SEED", or: 20_261_122)
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 2_000)
        print("StatementWriterTests.\(name): \(count) statements from STORE_SEED=\(seed)")
        var statements = StatementGenerator(seed: UInt64(seed))
        var failures = 0
        for number in 0..<count where failures < 5 {
            let statement = statements.next(1 + number % 4)
            guard let failure = try check(statement) else { continue }
            failures += 1
            Issue.record("statement \(number): \(failure)")
        }
    }

    @Test("in SQL++ and any tree reads back unchanged")
    func text() throws {
        try run("text") { statement in
            let text = SQLPPWriter.text(statement)
            do {
                let read = try SQLPPParser.statement(text)
                return read == statement
                    ? nil : "\(text)\n  reads as \(SQLPPWriter.text(read))"
            } catch {
                return "\(text)\n  is refused: \(error)"
            }
        }
    }

    @Test("in JSON and any tree reads back unchanged")
    func json() throws {
        try run("json") { statement in
            let text = QueryJSONWriter.text(statement)
            do {
                let read = try QueryJSONReader.statement(text)
                return read == statement ? nil : "\(text)\n  reads as \(QueryJSONWriter.text(read))"
            } catch {
                return "\(text)\n  is refused: \(error)"
            }
        }
    }

    @Test(
        "with the required keywords and parentheses only",
        arguments: [
            ("select all a, b c from _", "SELECT a, b AS c FROM _"),
            ("((SELECT 1))", "SELECT 1"),
            ("SELECT a FROM b, c CROSS JOIN d e", "SELECT a FROM b CROSS JOIN c CROSS JOIN d AS e"),
            (
                "SELECT a FROM b LEFT OUTER JOIN c ON 1 INNER JOIN d",
                "SELECT a FROM b LEFT JOIN c ON 1 JOIN d"
            ),
            ("SELECT a FROM b UNNEST b.c.d", "SELECT a FROM b UNNEST b.c.d AS d"),
            ("SELECT 1 OFFSET 2 LIMIT 1;", "SELECT 1 LIMIT 1 OFFSET 2"),
            (
                "(SELECT 1) UNION ((SELECT 2) INTERSECT SELECT 3)",
                "SELECT 1 UNION SELECT 2 INTERSECT SELECT 3"
            ),
            (
                "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3",
                "(SELECT 1 UNION SELECT 2) INTERSECT SELECT 3"
            ),
            (
                "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)",
                "SELECT 1 EXCEPT (SELECT 2 EXCEPT SELECT 3)"
            ),
            (
                "(SELECT 1 LIMIT 1) UNION ALL (SELECT 2 ORDER BY a) LIMIT 3",
                "(SELECT 1 LIMIT 1) UNION ALL (SELECT 2 ORDER BY a) LIMIT 3"
            ),
            ("SELECT a ORDER BY b ASC", "SELECT a ORDER BY b"),
            ("SELECT (SELECT 1).a", "SELECT (SELECT 1).a"),
            ("SELECT EXISTS ((SELECT 1))", "SELECT EXISTS (SELECT 1)"),
            ("SELECT a IN ((SELECT 1))", "SELECT a IN ((SELECT 1))"),
            ("SELECT `all`, `exists`, `set`", "SELECT `all`, `exists`, set"),
            (
                "SELECT sum(a) over (rows unbounded preceding exclude no others)",
                "SELECT sum(a) OVER (ROWS UNBOUNDED PRECEDING)"
            ),
            ("UPDATE a SET a.b = 1, c = 2", "UPDATE a SET b = 1, c = 2"),
            ("UPDATE a SET a.a = 1, a.a.b = 2", "UPDATE a SET a.a = 1, a.a.b = 2"),
            ("UPDATE s.c SET s.c.x = 1, c.c = 2", "UPDATE s.c SET x = 1, s.c.c = 2"),
            ("delete from a b where b.c limit 1", "DELETE FROM a AS b WHERE b.c LIMIT 1"),
        ])
    func forms(_ text: String, written: String) throws {
        #expect(SQLPPWriter.text(try SQLPPParser.statement(text)) == written)
        #expect(SQLPPWriter.text(try SQLPPParser.statement(written)) == written)
    }

    @Test("in SQL++ with the default columns that the JSON form omits")
    func defaultColumns() throws {
        for (json, text) in [
            ("{}", "SELECT META().id, META().sequence"),
            (#"["=",[".a"],1]"#, "SELECT META().id, META().sequence WHERE a = 1"),
            (
                #"{"FROM":[{"AS":"b"},{"AS":"c"}]}"#,
                "SELECT META(b).id, META(b).sequence FROM _ AS b JOIN _ AS c"
            ),
        ] {
            #expect(SQLPPWriter.text(try QueryJSONReader.statement(json)) == text)
        }
    }
}
