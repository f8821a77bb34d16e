import DataFileCore
import EngineTestSupport
import QueryEngine
import Testing

@Suite("COLLATE")
struct QueryCollationTests {
    private func fixture() throws -> QueryFixture {
        try QueryFixture([
            ("a", #"{"n":1,"t":"X","s":"y"}"#), ("b", #"{"n":1,"t":"x","s":"y"}"#),
            ("c", #"{"n":2,"t":"X","s":"Y"}"#),
        ])
    }

    private func ids(_ condition: String, _ fixture: QueryFixture) throws -> [String] {
        try fixture.rows("SELECT META().id AS id FROM _ WHERE \(condition) ORDER BY META().id")
            .map { String($0.dropFirst(7).dropLast(2)) }
    }

    @Test("applies to the comparison before it")
    func comparison() throws {
        let fixture = try fixture()
        #expect(try ids("s = 'Y' AND t = 'x' COLLATE NOCASE", fixture) == ["c"])
        #expect(try ids("s = 'y' AND t = 'x' COLLATE NOCASE", fixture) == ["a", "b"])
        #expect(try ids("s = 'Y' OR t = 'x' COLLATE NOCASE", fixture) == ["a", "b", "c"])
        #expect(try ids("s = 'Y' COLLATE NOCASE AND t = 'x'", fixture) == ["b"])
        #expect(try ids("n = 2 OR NOT t = 'x' COLLATE NOCASE", fixture) == ["c"])
    }

    @Test("after parentheses applies to the first comparison in them, as in LiteCore")
    func parentheses() throws {
        let fixture = try fixture()
        #expect(try ids("(s = 'Y' AND t = 'X') COLLATE NOCASE", fixture) == ["a", "c"])
        #expect(try ids("(t = 'x' OR s = 'z') COLLATE NOCASE", fixture) == ["a", "b", "c"])
        #expect(try ids("n = 1 AND (t = 'x' AND s = 'y') COLLATE NOCASE", fixture) == ["a", "b"])
        #expect(
            try ids("ANY x IN [t] SATISFIES x = 'x' END COLLATE NOCASE", fixture)
                == ["a", "b", "c"])
        #expect(
            try ids("ANY x IN [t] SATISFIES x < 'Y' END COLLATE NOCASE", fixture)
                == ["a", "b", "c"])
    }

    @Test("applies to strings that depend on the comparison, too: SQLite uses the first one inside")
    func dependents() throws {
        let fixture = try fixture()
        let branch = "CASE WHEN s = 'Y' COLLATE NOCASE THEN t END"
        #expect(try ids("\(branch) = 'X'", fixture) == ["a", "b", "c"])
        #expect(try ids("ifmissing(\(branch), s) = 'X'", fixture) == ["a", "b", "c"])
        try fixture.createIndex(.value("byBranch", on: .sqlPlusPlus(branch)))
        #expect(try ids("\(branch) = 'X'", fixture) == ["a", "b", "c"])
    }

    @Test(
        "in the JSON form applies to the first comparison inside, and inherits options",
        arguments: [
            (#"["COLLATE",{"CASE":false},["AND",["=",[".s"],"Y"],["=",[".t"],"X"]]]"#, "ac"),
            (#"["COLLATE",{"CASE":false},["OR",["=",[".t"],"x"],["=",[".s"],"z"]]]"#, "abc"),
            (
                #"["COLLATE",{"CASE":false},["ANY","x",["[]",[".t"]],["=",["?x"],"x"]]]"#,
                "abc"
            ),
            (
                #"["COLLATE",{"UNICODE":true,"CASE":false},["COLLATE",{"DIAC":false},"#
                    + #"["=",[".t"],"X́"]]]"#, "abc"
            ),
            (
                #"["COLLATE",{"CASE":false},["COLLATE",{"CASE":true},["=",[".t"],"x"]]]"#, "b"
            ),
        ])
    func json(_ condition: String, _ ids: String) throws {
        let fixture = try fixture()
        let json = #"{"WHAT":[["AS",["._id"],"id"]],"ORDER_BY":[["._id"]],"WHERE":"# + condition
        let rows = try fixture.rows(Query(json: json + "}"))
        #expect(rows == ids.map { #"{"id":"\#($0)"}"# })
    }

    @Test("is written in the JSON form at the condition that it belongs to")
    func jsonForm() throws {
        let query = try Query("SELECT n FROM _ WHERE n = 1 AND (n = 2 OR s = 'x') COLLATE NOCASE")
        #expect(
            query.json.contains(
                #"["AND",["=",[".n"],1],["COLLATE",{"CASE":false,"DIAC":true,"UNICODE":false},"#
                    + #"["OR",["=",[".n"],2],["=",[".s"],"x"]]]]"#), "\(query.json)")
    }

    @Test("is not lost in groups")
    func groups() throws {
        let fixture = try fixture()
        #expect(
            try fixture.rows(
                "SELECT n, t = 'x' COLLATE NOCASE AS e FROM _ WHERE n = 2 GROUP BY n")
                == [#"{"e":true,"n":2}"#])
        #expect(
            try fixture.rows(
                "SELECT META().id AS id FROM _ GROUP BY META().id "
                    + "HAVING s = 'Y' COLLATE NOCASE"
            ).count == 3)
        #expect(
            try fixture.rows(
                "SELECT COUNT(*) AS c FROM _ GROUP BY t COLLATE NOCASE "
                    + "HAVING t = 'x' COLLATE NOCASE") == [#"{"c":3}"#])
    }
}
