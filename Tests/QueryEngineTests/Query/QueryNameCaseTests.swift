import DataFileCore
import EngineTestSupport
import QueryEngine
import Testing

@Suite("Upper and lower case of names in queries")
struct QueryNameCaseTests {
    private func fixture() throws -> QueryFixture {
        try QueryFixture([
            ("a", #"{"n":1,"N":10,"tags":[{"k":1}]}"#), ("b", #"{"n":2,"N":20,"tags":[]}"#),
        ])
    }

    @Test(
        "is ignored for sources, aliases and properties of META(), as in LiteCore",
        arguments: [
            ("SELECT P.n FROM _ AS p WHERE p.n = 1", [#"{"n":1}"#]),
            ("SELECT p.n FROM _ AS P WHERE P.n = 1", [#"{"n":1}"#]),
            ("SELECT META(P).id FROM _ AS p WHERE P.n = 1", [#"{"id":"a"}"#]),
            ("SELECT META().ID FROM _ WHERE n = 1", [#"{"id":"a"}"#]),
            ("SELECT _ID AS i FROM _ WHERE n = 1", [#"{"i":"a"}"#]),
            ("SELECT n AS x FROM _ ORDER BY X DESC", [#"{"x":2}"#, #"{"x":1}"#]),
            ("SELECT U.k FROM _ AS p UNNEST P.tags AS u", [#"{"k":1}"#]),
            ("WITH t AS (SELECT n FROM _) SELECT T.n FROM T WHERE t.n = 2", [#"{"n":2}"#]),
            ("SELECT q.n FROM (SELECT n FROM _) AS Q WHERE Q.n = 2", [#"{"n":2}"#]),
        ])
    func same(_ query: String, _ rows: [String]) throws {
        #expect(try fixture().rows(query) == rows, "\(query)")
    }

    @Test("is distinguished in properties")
    func properties() throws {
        #expect(try fixture().rows("SELECT n, N FROM _ WHERE N = 10") == [#"{"N":10,"n":1}"#])
        #expect(try fixture().rows("SELECT n FROM _ WHERE TAGS IS NOT MISSING") == [])
    }

    @Test("decides where two names differ in nothing else")
    func both() throws {
        let fixture = try fixture()
        #expect(
            try fixture.rows(
                "SELECT p.n, P.n AS m FROM _ AS p JOIN _ AS P ON P.n = p.n + 1")
                == [#"{"m":2,"n":1}"#])
        #expect(
            try fixture.rows("SELECT N AS n FROM _ AS N ORDER BY N.n LIMIT 1")
                == [#"{"n":{"N":10,"n":1,"tags":[{"k":1}]}}"#])
        #expect(
            try fixture.rows("SELECT a, A FROM _ LET a = n, A = N WHERE a = 1")
                == [#"{"A":10,"a":1}"#])
    }

    @Test("pages follow the result that ORDER BY means")
    func pages() throws {
        let fixture = try fixture()
        let query = try Query("SELECT n AS x FROM _ ORDER BY X DESC")
        let first = try fixture.file.read { try query.page(of: 1, in: $0) }
        #expect(try first.rows.map { try $0.json() } == [#"{"x":2}"#])
        let second = try fixture.file.read { try query.page(of: 1, after: first.next, in: $0) }
        #expect(try second.rows.map { try $0.json() } == [#"{"x":1}"#])
    }

    @Test("is ignored for properties of META() in the JSON form")
    func json() throws {
        let query = try Query(
            json: #"{"WHAT":[["AS",["._ID"],"a"],["AS",["_.",["META()"],"ID"],"b"]],"#
                + #""WHERE":["=",[".n"],1]}"#)
        #expect(try fixture().rows(query) == [#"{"a":"a","b":"a"}"#])
    }

    @Test("the default collection can be called by its full name, whatever FROM calls it")
    func defaultCollection() throws {
        let rows = try fixture().rows("SELECT _default._default.n FROM _ WHERE n = 1")
        #expect(rows == [#"{"n":1}"#])
    }
}
