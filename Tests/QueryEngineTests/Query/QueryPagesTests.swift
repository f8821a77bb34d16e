import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryLanguage
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import QueryEngine

@Suite("Pages of queries")
struct QueryPagesTests {
    private func fixture() throws -> QueryFixture {
        let values = ["1", "2", "null", "\"a\"", "\"B\"", "true", "[1]", "-3.5", "2", "\"a\""]
        var documents = values.enumerated().map { ("d\($0)", "{\"v\":\($1),\"n\":\($0 % 3)}") }
        documents += (10..<40).map { ("d\($0)", "{\"n\":\($0 % 4)}") }
        return try QueryFixture(documents)
    }

    @Test(
        "contain the same rows as the whole result, in any order",
        arguments: [
            "SELECT META().id AS id FROM _", "SELECT META().id AS id, v FROM _ ORDER BY v",
            "SELECT META().id AS id FROM _ ORDER BY v DESC, n",
            "SELECT META().id AS id, n AS m FROM _ ORDER BY m DESC, v",
            "SELECT META().id AS id FROM _ WHERE n > 0 OR v = 'a' ORDER BY v COLLATE NOCASE, n",
            "SELECT META().id AS id, n + 1 AS v FROM _ WHERE n < $most ORDER BY abs(v) DESC",
            "SELECT META().id AS id FROM _ WHERE n < $cursor_0 ORDER BY v",
            "SELECT META().id AS id, n FROM _ ORDER BY 2 DESC",
        ])
    func pages(text: String) throws {
        let fixture = try fixture()
        let query = try Query(text)
        var parameters: QueryParameters = [:]
        for name in ["most", "cursor_0"] where text.contains("$" + name) { parameters[name] = 3 }
        let order = text.contains("ORDER BY") ? ", META().id" : " ORDER BY META().id"
        let all = try fixture.rows(try Query(text + order), parameters)
        for indexed in [false, true] {
            if indexed { try fixture.createIndex(.value("byV", on: "v")) }
            for size in [1, 3, 7, 100] {
                var rows: [String] = []
                var cursor: QueryCursor?
                repeat {
                    let page = try fixture.file.read {
                        try query.page(of: size, after: cursor, in: $0, parameters)
                    }
                    rows += try page.rows.map { try $0.json() }
                    #expect(page.rows.count == size || page.next == nil)
                    cursor = try page.next.map { try QueryCursor(text: $0.text) }
                } while cursor != nil
                #expect(rows == all, "pages of \(size)")
            }
        }
    }

    @Test("continue where the last one ended, whatever was inserted or deleted meanwhile")
    func changes() throws {
        let fixture = try fixture()
        let query = try Query("SELECT META().id AS id FROM _ WHERE n = 1")
        let first = try fixture.file.read { try query.page(of: 3, in: $0) }
        #expect(first.rows.map { $0["id"].string } == ["d1", "d13", "d17"])
        try fixture.add([("d0", #"{"n":1}"#), ("d2", #"{"n":1}"#)])
        _ = try fixture.file.write {
            try Query("DELETE FROM _ WHERE META().id = 'd17'").run(in: $0)
        }
        let second = try fixture.file.read { try query.page(of: 3, after: first.next, in: $0) }
        #expect(second.rows.map { $0["id"].string } == ["d2", "d21", "d25"])
    }

    @Test("are read from an index of the order, without a sort")
    func index() throws {
        let fixture = try fixture()
        try fixture.createIndex(.value("byN", on: "n"))
        let query = try Query("SELECT n FROM _ ORDER BY n")
        let next = try #require(try fixture.file.read { try query.page(of: 3, in: $0) }.next)
        var parameters = QueryParameters()
        let statement = try QueryPages(query.statement).statement(3, next, &parameters)
        let plan = try fixture.file.read {
            try Query(.select(statement)).explain(in: $0, parameters)
        }
        #expect(plan.indexes == ["byN"] && plan.steps[0].kind == .search, "\(plan)")
    }

    @Test("are for queries whose rows are documents; a cursor belongs to its query")
    func refusals() throws {
        let fixture = try fixture()
        for text in [
            "SELECT DISTINCT n FROM _", "SELECT n FROM _ LIMIT 3", "SELECT COUNT(*) FROM _",
            "SELECT n FROM _ GROUP BY n", "SELECT n FROM _ UNION SELECT n FROM _",
            "SELECT a.n FROM _ AS a JOIN _ AS b ON a.n = b.n", "DELETE FROM _",
        ] {
            let query = try Query(text)
            let error = #expect(throws: StoreError.self) {
                try fixture.file.read { try query.page(of: 3, in: $0) }
            }
            #expect(error?.has(.unsupported) == true, "\(text)")
        }
        let query = try Query("SELECT n FROM _ ORDER BY n, v")
        let other = try QueryCursor(text: "[[1]]")
        #expect(throws: StoreError.self) {
            try fixture.file.read { try query.page(of: 3, after: other, in: $0) }
        }
        #expect(throws: StoreError.self) { try QueryCursor(text: "{") }
        #expect(throws: StoreError.self) {
            try fixture.file.read { try query.page(of: 0, in: $0) }
        }
    }
}
