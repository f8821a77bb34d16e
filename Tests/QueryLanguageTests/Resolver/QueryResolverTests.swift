import EngineTestSupport
import QueryLanguage
import StoreFormat
import Testing

@Suite("The names of a query")
struct QueryResolverTests {
    private func block(_ text: String) throws -> BoundBlock {
        guard case .select(let query) = try SQLPPParser.statement(text) else {
            throw StoreError(.unsupported, "not a query: \(text)")
        }
        let resolved = try QueryResolver.resolve(query, PlanCatalog())
        guard case .block(let block) = resolved.query.body else {
            throw StoreError(.unsupported, "not a single SELECT: \(text)")
        }
        return block
    }

    private func source(_ expression: BoundExpression) -> ResolvedSource? {
        if case .property(let source, _) = expression.form { source } else { nil }
    }

    @Test("refer to the sources, each of which is one object")
    func sources() throws {
        let block = try block("SELECT p.a, o.a, p.b FROM people AS p JOIN orders AS o ON p.x = o.x")
        let found = block.results.map { source($0.expression) }
        #expect(found[0] === block.sources[0].source)
        #expect(found[1] === block.sources[1].source)
        #expect(found[2] === block.sources[0].source)
        #expect(block.sources.map(\.source.sqlAlias) == ["p", "o"])
    }

    @Test("stand for their expressions, which are resolved once")
    func names() throws {
        let block = try block("SELECT x, x AS y FROM people LET x = age + 1 WHERE y > 3 ORDER BY x")
        let first = block.results[0].expression
        #expect(block.results[1].expression === first)
        #expect(block.tail.order[0].expression === first)
        guard case .operation(.greater, let operands) = try #require(block.condition).form else {
            Issue.record("not a comparison")
            return
        }
        #expect(operands[0] === first)
    }

    @Test("of LET may be wrong as long as they are not used")
    func unused() throws {
        let from = "FROM people AS p JOIN orders AS o ON p.x = o.x LET bad = nobody.x"
        #expect(throws: Never.self) { try block("SELECT p.a \(from)") }
        let error = storeError(.invalidQuery) { _ = try block("SELECT bad \(from)") }
        #expect(error?.message.contains("nobody.x belongs to none of the sources") == true)
    }

    @Test("do not hide an aggregate function where none is allowed")
    func aggregates() throws {
        for text in [
            "SELECT SUM(age) AS total FROM people WHERE total > 3",
            "SELECT SUM(t) FROM people LET t = COUNT(age)",
            "SELECT age FROM people LET n = COUNT(*) GROUP BY n",
            "SELECT ANY x IN likes SATISFIES x > n END FROM people LET n = MAX(age)",
            "SELECT COUNT(*)\(String(repeating: " + 1", count: 400)) AS n FROM people WHERE n > 1",
        ] {
            let error = storeError(.invalidQuery) { _ = try block(text) }
            #expect(error?.message.contains("is an aggregate function") == true, "\(text)")
        }
    }

    @Test("that refer to each other make a query too long, or are nested too deeply")
    func growth() throws {
        for (operand, count) in [("x", 40), ("1", 80), ("1", 5000)] {
            let names = (1...count).map { number in
                let other = operand == "x" ? "x\(number - 1)" : operand
                return ", x\(number) = x\(number - 1) + \(other)"
            }.joined()
            storeError(.invalidQuery) {
                _ = try block("SELECT x\(count) FROM people LET x0 = age\(names)")
            }
        }
    }

    @Test("of a test for deleted documents mark their source only")
    func deleted() throws {
        let block = try block(
            "SELECT META(p).deleted FROM people AS p JOIN orders AS o ON p.x = o.x")
        #expect(block.sources.map(\.source.includesDeleted) == [true, false])
    }
}
