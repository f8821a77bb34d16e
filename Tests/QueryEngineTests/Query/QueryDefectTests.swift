import DataFileCore
import EngineTestSupport
import QueryEngine
import StoreFormat
import Testing

@Suite("Defects of LiteCore's queries")
struct QueryDefectTests {
    private func fixture() throws -> QueryFixture {
        try QueryFixture([
            ("a", #"{"n":1,"flag":true,"order":3,"tags":["x"],"big":18446744073709551615}"#),
            ("b", #"{"n":5,"flag":false,"none":null,"tags":[]}"#),
        ])
    }

    @Test("NOT has lower precedence than comparisons, functions and IN")
    func not() throws {
        let fixture = try fixture()
        #expect(try fixture.rows("SELECT n FROM _ WHERE NOT n = 1") == [#"{"n":5}"#])
        #expect(try fixture.rows("SELECT n FROM _ WHERE NOT n + 1 = 2") == [#"{"n":5}"#])
        #expect(try fixture.rows("SELECT n FROM _ WHERE NOT 'x' IN tags") == [#"{"n":5}"#])
        #expect(
            try fixture.rows("SELECT n FROM _ WHERE NOT flag AND n > 1") == [#"{"n":5}"#])
    }

    @Test("two signs are not a comment")
    func signs() throws {
        let fixture = try fixture()
        #expect(
            try fixture.rows("SELECT --5 AS a, 1--1 AS b, - -n AS c FROM _ WHERE n = 1")
                == [#"{"a":5,"b":2,"c":1}"#])
        let json = try Query(json: #"{"WHAT":[["AS",["-",-5],"a"]],"LIMIT":1}"#)
        #expect(try fixture.rows(json) == [#"{"a":5}"#])
    }

    @Test("SQL keywords can be names")
    func keywords() throws {
        let fixture = try fixture()
        let rows = try fixture.rows(
            "SELECT `select`.`order` AS `from` FROM _ AS `select` WHERE `select`.`order` = 3")
        #expect(rows == [#"{"from":3}"#])
        let json = try Query(
            json: #"{"WHAT":[["AS",[".table.n"],"group"]],"FROM":[{"AS":"table"}],"#
                + #""WHERE":["=",[".table.n"],1]}"#)
        #expect(try fixture.rows(json) == [#"{"group":1}"#])
    }

    @Test("a null as a parameter is null, and not missing")
    func null() throws {
        let fixture = try fixture()
        #expect(try fixture.rows("SELECT $x AS x FROM _ LIMIT 1", ["x": nil]) == [#"{"x":null}"#])
        #expect(try fixture.rows("SELECT n FROM _ WHERE none = $x", ["x": nil]) == [#"{"n":5}"#])
        #expect(try fixture.rows("SELECT $x AS x FROM _ LIMIT 1", ["x": .missing]) == ["{}"])
        #expect(try fixture.rows("SELECT $x AS x FROM _ LIMIT 1") == ["{}"])
    }

    @Test("Booleans and large numbers as parameters keep their types")
    func parameters() throws {
        let fixture = try fixture()
        #expect(try fixture.rows("SELECT $x AS x FROM _ LIMIT 1", ["x": true]) == [#"{"x":true}"#])
        #expect(
            try fixture.rows("SELECT type($x) AS x, [$x] AS y FROM _ LIMIT 1", ["x": false])
                == [#"{"x":"boolean","y":[false]}"#])
        #expect(try fixture.rows("SELECT n FROM _ WHERE flag = $x", ["x": true]) == [#"{"n":1}"#])
        let big = QueryParameters(["x": .unsigned(.max)])
        #expect(
            try fixture.rows("SELECT $x AS x FROM _ LIMIT 1", big)
                == [#"{"x":18446744073709551615}"#])
        #expect(try fixture.rows("SELECT n FROM _ WHERE big = $x", big) == [#"{"n":1}"#])
        #expect(
            try fixture.rows("SELECT n FROM _ WHERE big = 18446744073709551615") == [#"{"n":1}"#])
    }

    @Test("the quotient of integers is exact")
    func quotient() throws {
        #expect(
            try fixture().rows("SELECT 5/2 AS a, n/2 AS b FROM _ WHERE n = 5")
                == [#"{"a":2.5,"b":2.5}"#])
    }

    @Test("a parameter can be a list after IN, and an index serves it")
    func lists() throws {
        let fixture = try fixture()
        try fixture.createIndex(.value("byN", on: "n"))
        let list = QueryParameters(["list": try QueryValue(json: "[1,7,\"x\"]")])
        #expect(try fixture.rows("SELECT n FROM _ WHERE n IN $list", list) == [#"{"n":1}"#])
        #expect(try fixture.rows("SELECT n FROM _ WHERE n NOT IN $list", list) == [#"{"n":5}"#])
        #expect(
            try fixture.plan("SELECT n FROM _ WHERE n IN $list", list).indexes == ["byN"])
    }

    @Test("a missing list makes IN and NOT IN missing")
    func missingList() throws {
        let fixture = try fixture()
        try fixture.createIndex(.value("byN", on: "n"))
        for text in ["n IN $p", "NOT n IN $p", "n NOT IN $p"] {
            #expect(try fixture.rows("SELECT n FROM _ WHERE \(text)", ["p": .missing]) == [])
        }
        #expect(
            try fixture.rows("SELECT (n IN $p) IS MISSING AS m FROM _ LIMIT 1") == [#"{"m":true}"#])
    }

    @Test("names of LET may refer to others, up to a limit")
    func names() throws {
        let fixture = try fixture()
        func text(_ count: Int) -> String {
            let names = (1...count).map { "a\($0) = a\($0 - 1) + 1" }.joined(separator: ", ")
            return "SELECT a\(count) AS a FROM _ LET a0 = n, \(names) WHERE n = 1"
        }
        #expect(try fixture.rows(text(20)) == [#"{"a":21}"#])
        for count in [70, 1500, 5000] {
            let error = #expect(throws: StoreError.self) { try fixture.rows(text(count)) }
            #expect(error?.has(.invalidQuery) == true)
        }
    }

    @Test("an aggregate function belongs to the query that contains it")
    func foreignAggregates() throws {
        let fixture = try QueryFixture([
            ("a", #"{"n":1}"#), ("b", #"{"n":2}"#), ("c", #"{"n":2}"#),
        ])
        func rows(_ text: String) throws -> [String] { try fixture.rows(text) }
        #expect(
            try rows("SELECT p.n, (SELECT SUM(p.n) FROM _ AS q) AS s FROM _ AS p ORDER BY p.n")
                == [#"{"n":1,"s":3}"#, #"{"n":2,"s":6}"#, #"{"n":2,"s":6}"#])
        #expect(
            try rows(
                "SELECT p.n, (SELECT SUM(p.n) + MAX(q.n) FROM _ AS q) AS s FROM _ AS p "
                    + "WHERE p.n = 1") == [#"{"n":1,"s":5}"#])
        #expect(
            try rows(
                "SELECT (SELECT COUNT(k) FROM _ AS q WHERE q.n = 2) AS s FROM _ AS p LET k = p.n"
            )
            .count == 3)
        #expect(
            try rows("SELECT p.n, (SELECT SUM(p.n) FROM _ AS q) AS s FROM _ AS p GROUP BY p.n")
                == [#"{"n":1,"s":3}"#, #"{"n":2,"s":6}"#])
        #expect(
            try rows("SELECT p.n FROM _ AS p WHERE 5 < (SELECT SUM(p.n) FROM _ AS q)").count == 2)
        #expect(
            try rows(
                "SELECT p.n FROM _ AS p "
                    + "WHERE EXISTS (SELECT COUNT(*) FROM _ AS q HAVING SUM(p.n) > 5)"
            )
            .count == 2)
        let count = try fixture.file.write {
            try Query("UPDATE _ AS p SET m = (SELECT MAX(p.n) FROM _ AS q)").run(in: $0)
        }
        #expect(count == 3)
        #expect(try rows("SELECT m FROM _ WHERE m = n").count == 3)
    }

    @Test("an expression of a group can be indexed")
    func indexedGroups() throws {
        let fixture = try QueryFixture([("a", #"{"s":"B"}"#), ("b", #"{"s":"C"}"#)])
        try fixture.createIndex(.value("byLower", on: "lower(s)"))
        #expect(
            try fixture.rows(
                "SELECT lower(s) AS k, COUNT(*) AS c FROM _ GROUP BY s HAVING lower(s) = 'b' "
                    + "ORDER BY lower(s)") == [#"{"c":1,"k":"b"}"#])
    }
}
