import Testing

@testable import DataFileCore

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

    @Test("is of the comparison before it")
    func comparison() throws {
        let fixture = try fixture()
        #expect(try ids("s = 'Y' AND t = 'x' COLLATE NOCASE", fixture) == ["c"])
        #expect(try ids("s = 'y' AND t = 'x' COLLATE NOCASE", fixture) == ["a", "b"])
        #expect(try ids("s = 'Y' OR t = 'x' COLLATE NOCASE", fixture) == ["a", "b", "c"])
        #expect(try ids("s = 'Y' COLLATE NOCASE AND t = 'x'", fixture) == ["b"])
        #expect(try ids("n = 2 OR NOT t = 'x' COLLATE NOCASE", fixture) == ["c"])
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
