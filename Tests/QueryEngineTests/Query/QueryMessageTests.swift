import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import StoreFormat
import Testing

@Suite("Messages of queries that fail")
struct QueryMessageTests {
    private func fixture() throws -> QueryFixture {
        try QueryFixture([
            ("a", #"{"n":1,"s":"x","big":9223372036854775807}"#),
            ("b", #"{"n":2,"s":"y","big":9223372036854775807}"#),
        ])
    }

    /// A query, and its error message.
    private static let messages: [(query: String, message: String)] = [
        ("SELECT n FROM _ ORDER BY 2", "line 1, column 26: ORDER BY 2: the result has 1 column"),
        (
            "SELECT n, s FROM _ GROUP BY 0",
            "line 1, column 29: GROUP BY 0: the result has 2 columns"
        ),
        (
            "SELECT n FROM _ UNION SELECT n FROM _ ORDER BY x",
            "line 1, column 48: the result has no column x, but n"
        ),
        (
            "SELECT q.n FROM _ AS q JOIN (SELECT r.n FROM _ AS r WHERE r.n = q.n) AS s ON TRUE",
            "line 1, column 65: a subquery in FROM cannot see the source q; for a property of "
                + "that name write r.q.n"
        ),
        (
            "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a",
            "line 1, column 23: WITH has two queries named a"
        ),
        (
            "SELECT n FROM _ LIMIT $p",
            "LIMIT and OFFSET need an integer; the expression has another value or none"
        ),
        (
            "SELECT SUM(n) OVER (ORDER BY n ROWS UNBOUNDED FOLLOWING) FROM _",
            "line 1, column 8: a frame cannot begin at UNBOUNDED FOLLOWING or end at UNBOUNDED "
                + "PRECEDING"
        ),
        (
            "SELECT ARRAY_AGG(n) OVER (ORDER BY n) FROM _",
            "line 1, column 8: array_agg() cannot be combined with OVER"
        ),
        (
            "SELECT SUM(big) FROM _",
            "SUM() of integers exceeds 64 bits; SUM(value * 1.0) adds doubles"
        ),
        ("SELECT n FROM _ WHERE s LIKE 'x' ESCAPE 'ab'", "ESCAPE needs a single character"),
        (
            "SELECT META(p).id FROM _ AS a WHERE EXISTS (SELECT META(p).id FROM _ AS p)",
            "syntax error: line 1, column 13: found p, which is not a source of the query, "
                + "expected a"
        ),
        (
            "SELECT META(s).id FROM (SELECT n FROM _) AS s",
            "line 1, column 8: META(s) does not name a collection of the query"
        ),
        (
            "SELECT n FROM _ ORDER BY COUNT(*)",
            "line 1, column 26: ORDER BY an aggregate function needs GROUP BY, or such a function "
                + "as a result"
        ),
        (
            "SELECT n FROM _ GROUP BY n HAVING ANY x IN [1, 2] SATISFIES COUNT(*) > x END",
            "line 1, column 61: count() is an aggregate function: it is allowed in SELECT, HAVING "
                + "and ORDER BY, but not inside another one, ANY or EVERY"
        ),
        (
            "SELECT META(x).id FROM _ AS a",
            "syntax error: line 1, column 13: found x, which is not a source of the query, "
                + "expected a"
        ),
    ]

    @Test("state what to do", arguments: messages)
    func says(query: String, message: String) throws {
        let error = #expect(throws: StoreError.self) { try fixture().rows(query) }
        #expect(error?.message == message)
        #expect(error.map { "\($0)".contains("kv_") } == false)
    }

    @Test("a number after ORDER BY or GROUP BY is an ordinal position")
    func columnNumbers() throws {
        let fixture = try fixture()
        #expect(
            try fixture.rows("SELECT s, n FROM _ ORDER BY 2 DESC")
                == [#"{"n":2,"s":"y"}"#, #"{"n":1,"s":"x"}"#])
        // The column, and not what would be computed of it a second time.
        #expect(
            try fixture.rows("SELECT 3 - n AS n FROM _ ORDER BY 1")
                == [#"{"n":1}"#, #"{"n":2}"#])
        #expect(
            try fixture.rows("SELECT big, COUNT(*) AS c FROM _ GROUP BY 1 ORDER BY 2")
                == [#"{"big":9223372036854775807,"c":2}"#])
        #expect(
            try fixture.rows("SELECT n FROM _ UNION SELECT 7 AS n FROM _ ORDER BY 1 DESC LIMIT 1")
                == [#"{"n":7}"#])
        let pages = try Query("SELECT s, n FROM _ ORDER BY 2 DESC")
        let page = try fixture.file.read { try pages.page(of: 1, in: $0) }
        let next = try fixture.file.read { try pages.page(of: 1, after: page.next, in: $0) }
        #expect(next.rows.map { $0["n"].int } == [1])
    }

    @Test("an ordinal position refers to the column, even if names are ambiguous")
    func columnNumbersAndNames() throws {
        let fixture = try QueryFixture([
            ("a", #"{"n":1,"v":"p"}"#), ("b", #"{"n":1,"v":"q"}"#), ("c", #"{"n":2,"v":"r"}"#),
        ])
        #expect(
            try fixture.rows("SELECT p.n AS p, COUNT(*) AS c FROM _ AS p GROUP BY 1 ORDER BY 1")
                == [#"{"c":2,"p":1}"#, #"{"c":1,"p":2}"#])
        #expect(
            try fixture.rows("SELECT n, v AS n, COUNT(*) AS c FROM _ GROUP BY 1").count == 2)
        #expect(
            try fixture.rows("SELECT n, -n AS m, v AS n FROM _ ORDER BY 1 DESC, 3").first
                == ##"{"m":-2,"n":2,"n #2":"r"}"##)
        let query = try Query("SELECT p.n AS p, p.v FROM _ AS p ORDER BY 1 DESC")
        var values: [String?] = []
        var cursor: QueryCursor?
        repeat {
            let page = try fixture.file.read { try query.page(of: 1, after: cursor, in: $0) }
            values += page.rows.map { $0["v"].string }
            cursor = page.next
        } while cursor != nil
        #expect(values == ["r", "p", "q"])
        let advice = try fixture.file.read {
            try Query("SELECT v FROM _ ORDER BY 1").adviseIndexes(in: $0)
        }
        #expect(advice.count == 1)
    }

    @Test("a row of a subquery in FROM without a match is missing")
    func missingRow() throws {
        #expect(
            try fixture().rows(
                "SELECT q.n, r FROM _ AS q LEFT JOIN (SELECT n FROM _ WHERE n = 1) AS r "
                    + "ON r.n = q.n ORDER BY q.n")
                == [#"{"n":1,"r":{"n":1}}"#, #"{"n":2}"#])
        #expect(
            try fixture().rows(
                "WITH w AS (SELECT n FROM _ WHERE n = 1) SELECT q.n, r FROM _ AS q "
                    + "LEFT JOIN w AS r ON r.n = q.n WHERE r IS MISSING") == [#"{"n":2}"#])
    }

    @Test("an array of different values has a Boolean beside the number")
    func distinctArray() throws {
        let fixture = try QueryFixture([("a", #"{"l":[1,true,1,true,"1"]}"#)])
        #expect(
            try fixture.rows("SELECT ARRAY_AGG(DISTINCT x) AS a FROM _ AS d UNNEST d.l AS x")
                == [#"{"a":[1,true,"1"]}"#])
    }
}
