import DataFileCore
import EngineTestSupport
import StoreFormat
import Testing

/// Queries that a stage of the translation once read wrongly.
@Suite("The stages of a translation")
struct QueryPipelineTests {
    @Test("find an aggregate function in a long chain at once", arguments: [300])
    func chains(count: Int) throws {
        let fixture = try QueryFixture([("a", #"{"n":1}"#), ("b", #"{"n":2}"#)])
        let sum = "COUNT(*)" + String(repeating: " + 1", count: count)
        #expect(
            try fixture.rows("SELECT \(sum) AS v FROM _ ORDER BY v") == ["{\"v\":\(count + 2)}"])
        #expect(
            try fixture.rows("SELECT n FROM _ GROUP BY n HAVING \(sum) > 3 ORDER BY n").count == 2)
    }

    @Test("distinguish names and strings by their bytes")
    func bytes() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let fixture = try QueryFixture([
            ("a", "{\"g\":1,\"\(composed)\":1,\"\(decomposed)\":20,\"s\":\"\(composed)\"}"),
            ("b", "{\"g\":1,\"\(composed)\":3,\"\(decomposed)\":10,\"s\":\"\(decomposed)\"}"),
        ])
        #expect(
            try fixture.rows(
                "SELECT MAX(`\(composed)`) AS x, MAX(`\(decomposed)`) AS y FROM _ GROUP BY g")
                == [#"{"x":3,"y":20}"#])
        let one = "SUM(CASE WHEN s = '\(composed)' THEN 1 ELSE 0 END)"
        let other = "SUM(CASE WHEN s = '\(decomposed)' THEN 5 ELSE 0 END)"
        #expect(
            try fixture.rows("SELECT \(one) AS x, \(other) AS y FROM _ GROUP BY g")
                == [#"{"x":1,"y":5}"#])
        // Both extremes are read from indexes, of which one has a Boolean.
        let odd = try QueryFixture([
            ("a", "{\"\(composed)\":\"x\",\"\(decomposed)\":true}")
        ])
        try odd.createIndex(.value("one", on: .sqlPlusPlus("`\(composed)`")))
        try odd.createIndex(.value("other", on: .sqlPlusPlus("`\(decomposed)`")))
        #expect(
            try odd.rows("SELECT MIN(`\(composed)`) AS x, MAX(`\(decomposed)`) AS y FROM _")
                == [#"{"x":"x","y":true}"#])
    }

    @Test("sort the rows of set operators inside a grouped query")
    func setOperators() throws {
        let fixture = try QueryFixture([
            ("a", #"{"n":1,"m":2}"#), ("b", #"{"n":2,"m":3}"#), ("c", #"{"n":9,"m":9}"#),
        ])
        #expect(
            try fixture.rows(
                """
                SELECT n FROM _ GROUP BY n HAVING n IN (SELECT n FROM _ UNION SELECT m FROM _ \
                ORDER BY n LIMIT 2) ORDER BY n
                """) == [#"{"n":1}"#, #"{"n":2}"#])
    }

    @Test("read an index of a property whose name begins with a combining mark")
    func combiningMark() throws {
        let fixture = try QueryFixture([("a", "{\"\u{301}x\":true,\"k\":1}")])
        let query = "SELECT `\u{301}x` AS v FROM _ ORDER BY `\u{301}x`"
        let before = try fixture.rows(query)
        try fixture.createIndex(.value("byX", on: "`\u{301}x`"))
        #expect(before == [#"{"v":true}"#])
        #expect(try fixture.rows(query) == before)
    }

    @Test("know data from other values in groups of an index")
    func data() throws {
        let fixture = try QueryFixture([
            ("a", #"{"v":"x"}"#), ("b", #"{"v":[1,2]}"#), ("c", #"{"v":null}"#), ("d", "{}"),
        ])
        let query = "SELECT v, COUNT(*) AS n FROM _ GROUP BY v ORDER BY type(v)"
        let before = try fixture.rows(query)
        try fixture.createIndex(.value("byV", on: "v"))
        #expect(try fixture.rows(query) == before)
    }
}
