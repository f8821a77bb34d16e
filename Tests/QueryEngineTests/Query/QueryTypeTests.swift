import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import Testing

@Suite("The type of a value")
struct QueryTypeTests {
    /// A value in JSON, and one that SQLite takes for equal and that is another one.
    private static let values: [(value: String, twin: String)] = [
        ("true", "1"), ("false", "0"), ("0", "false"), ("1", "true"), ("-1", "2"), ("7", "8"),
        ("9223372036854775807", "1"), ("18446744073709551615", "-1"), ("1.5", "2"),
        ("\"text\"", "\"b\""), ("\"\"", "1"), ("null", "[]"), ("[1,true]", "[1,1]"),
        ("{\"a\":true}", "{\"a\":1}"), ("[]", "{}"),
    ]

    private func fixture(_ value: String, _ twin: String) throws -> QueryFixture {
        try QueryFixture([
            ("a", "{\"v\":\(value),\"list\":[\(value)],\"at\":{\"v\":\(value)}}"),
            ("b", "{\"v\":\(twin),\"list\":[\(twin)],\"at\":{\"v\":\(twin)}}"), ("c", "{}"),
        ])
    }

    /// Queries whose results contain values of properties.
    private static let questions = [
        "SELECT v FROM _ WHERE v IS NOT MISSING ORDER BY META().id",
        "SELECT v FROM _ WHERE v >= MISSING OR v IS NOT MISSING ORDER BY v, META().id",
        "SELECT [v, {'x': v}] AS v FROM _ WHERE v IS NOT MISSING ORDER BY META().id",
        "SELECT type(v) AS v FROM _ WHERE v IS NOT MISSING ORDER BY META().id",
        "SELECT ifmissing(nope, v) AS v FROM _ WHERE v IS NOT MISSING ORDER BY META().id",
        "SELECT CASE WHEN TRUE THEN v END AS v FROM _ WHERE v IS NOT MISSING ORDER BY META().id",
        "SELECT s.v FROM (SELECT v, META().id AS id FROM _) AS s ORDER BY s.id",
        "WITH s AS (SELECT v FROM _) SELECT type(s.v) AS t, s.v FROM s ORDER BY t, s.v",
        "SELECT DISTINCT v FROM _ ORDER BY type(v), v",
        "SELECT v, COUNT(*) AS n FROM _ GROUP BY v ORDER BY type(v), v",
        "SELECT array_agg(v) AS v FROM _ WHERE META().id = 'a'",
        "SELECT MIN(v) AS least, MAX(v) AS most FROM _ WHERE META().id = 'a'",
        "SELECT v FROM _ UNION SELECT at.v FROM _ ORDER BY type(v), v",
        "SELECT first_value(v) OVER (ORDER BY META().id) AS v FROM _ ORDER BY META().id",
        "SELECT x FROM _ AS d UNNEST d.list AS x ORDER BY META(d).id",
        "SELECT type(x) AS x FROM _ AS d UNNEST d.list AS x ORDER BY META(d).id",
        "SELECT x, COUNT(*) AS n FROM _ AS d UNNEST d.list AS x GROUP BY x ORDER BY type(x), x",
        "SELECT (SELECT e.v FROM _ AS e WHERE META(e).id = META(d).id) AS v FROM _ AS d "
            + "ORDER BY META(d).id",
        "SELECT w AS v FROM _ LET w = v ORDER BY META().id",
        "SELECT y AS v FROM _ AS d UNNEST d.list AS x UNNEST x AS y ORDER BY META(d).id",
        "SELECT y AS v FROM _ AS d UNNEST d.list AS x UNNEST x.a AS y ORDER BY META(d).id",
        "SELECT y AS v FROM (SELECT META().id AS id, v FROM _) AS s UNNEST s.v AS y ORDER BY s.id",
        "SELECT META(d).id AS v FROM _ AS d UNNEST d.list AS x "
            + "WHERE ANY z IN x SATISFIES type(z) = 'boolean' END ORDER BY META(d).id",
        "SELECT META(d).id AS v FROM _ AS d UNNEST d.list AS x "
            + "WHERE ANY z IN x SATISFIES z = 1 END ORDER BY META(d).id",
    ]

    @Test("is the same with and without an index, whatever its source", arguments: values)
    func types(value: String, twin: String) throws {
        let fixture = try fixture(value, twin)
        let before = try Self.questions.map { try fixture.rows($0) }
        #expect(before[0].first == "{\"v\":\(value)}")
        #expect(before[14].first == "{\"x\":\(value)}")
        #expect(before[10] == ["{\"v\":[\(value)]}"])
        try fixture.createIndex(.value("byV", on: "v"))
        try fixture.createIndex(.value("byAt", on: "at.v, v"))
        try fixture.createIndex(.array("byElement", path: "list"))
        for (question, rows) in zip(Self.questions, before) {
            #expect(try fixture.rows(question) == rows, "\(question)")
        }
    }

    @Test("comes from the index if that suffices, and otherwise from the document")
    func served() throws {
        let fixture = try QueryFixture((0..<200).map { ("d\($0)", "{\"v\":\"t\($0 % 7)\"}") })
        try fixture.createIndex(.value("byV", on: "v"))
        let plan = try fixture.plan("SELECT v FROM _ WHERE v = 't3'")
        #expect(plan.indexes == ["byV"])
        #expect(
            plan.sql == """
                SELECT ifnull(fl_served(fl_value(_.body, 'v')), \
                fl_result(fl_unindexed_value(_.body, 'v'))) FROM kv_default AS _ \
                WHERE fl_value(_.body, 'v') = 't3'
                """)
    }

    @Test("distinguishes Booleans from numbers in groups, also in an index")
    func groups() throws {
        let fixture = try QueryFixture([
            ("a", #"{"v":true}"#), ("b", #"{"v":1}"#), ("c", #"{"v":1}"#), ("d", #"{"v":"x"}"#),
        ])
        try fixture.createIndex(.value("byV", on: "v"))
        let question = "SELECT v, COUNT(*) AS n FROM _ GROUP BY v ORDER BY n, type(v)"
        #expect(
            try fixture.rows(question)
                == [#"{"n":1,"v":true}"#, #"{"n":1,"v":"x"}"#, #"{"n":2,"v":1}"#])
    }
}
