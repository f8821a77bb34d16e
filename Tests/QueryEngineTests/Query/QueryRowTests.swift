import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryLanguage
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import QueryEngine

@Suite("Rows of queries")
struct QueryRowTests {
    private struct Person: Codable, Equatable {
        var name: String
        var age: Int?
        var tags: [String]?
    }

    private func fixture() throws -> QueryFixture {
        try QueryFixture([
            ("a", #"{"name":"Ada","age":36,"tags":["x","y"]}"#), ("b", #"{"name":"Bob"}"#),
        ])
    }

    @Test("are read by index, by column name, as JSON and as values of a type")
    func forms() throws {
        let fixture = try fixture()
        let query = try Query(
            "SELECT name, age, tags, 1+1, upper(name) AS name2 FROM _ ORDER BY name")
        let rows = try fixture.file.read { try query.rows(in: $0).all() }
        #expect(rows[0].columnNames == ["name", "age", "tags", "$1", "name2"])
        #expect(rows[0][0].string == "Ada" && rows[0]["age"].int == 36 && rows[0]["$1"].int == 2)
        #expect(rows[0]["tags"][1].string == "y" && rows[0]["tags"].array?.count == 2)
        #expect(rows[1]["age"].isMissing && rows[1][17].isMissing && rows[1]["none"].isMissing)
        #expect(try rows[0].decode(Person.self) == Person(name: "Ada", age: 36, tags: ["x", "y"]))
        #expect(try rows[1].json() == #"{"$1":2,"name":"Bob","name2":"BOB"}"#)
    }

    @Test("of whole documents are values of the documents' type")
    func documents() throws {
        let fixture = try fixture()
        let query = try Query("SELECT * FROM _ ORDER BY name")
        let people = try fixture.file.read {
            try query.rows(in: $0).all().map { try $0.decode(Person.self) }
        }
        #expect(people == [Person(name: "Ada", age: 36, tags: ["x", "y"]), Person(name: "Bob")])
    }

    @Test("are computed when requested, and outlive the snapshot")
    func streaming() throws {
        let fixture = try QueryFixture((0..<500).map { ("d\($0)", "{\"n\":\($0)}") })
        let query = try Query("SELECT n FROM _ ORDER BY META().sequence")
        let first = try fixture.file.read { snapshot in
            let rows = try query.rows(in: snapshot)
            let first = try rows.next()
            // Another walk through the same query meanwhile.
            #expect(try query.rows(in: snapshot).all().count == 500)
            #expect(try rows.next()?["n"].int == 1)
            return first
        }
        #expect(first?["n"].int == 0)
        let sum = try fixture.file.read { snapshot in
            try query.rows(in: snapshot).reduce(0) { $0 + (try $1.get()["n"].int ?? 0) }
        }
        #expect(sum == 124_750)
    }

    @Test("cannot be read after the snapshot")
    func lifetime() throws {
        let fixture = try fixture()
        let rows = try fixture.file.read { try Query("SELECT name FROM _").rows(in: $0) }
        let error = #expect(throws: StoreError.self) { try rows.next() }
        #expect(error?.has(.notInTransaction) == true)
    }

    @Test("are streamed to tasks, which can leave the loop or be cancelled")
    func tasks() async throws {
        let fixture = try QueryFixture((0..<2000).map { ("d\($0)", "{\"n\":\($0)}") })
        var seen: [Int64] = []
        for try await row in fixture.file.rows(of: try Query("SELECT n FROM _ ORDER BY n")) {
            seen.append(row["n"].int ?? -1)
        }
        #expect(seen == (0..<2000).map(Int64.init))
        for try await _ in fixture.file.rows(of: try Query("SELECT n FROM _")) { break }
        let endless = try Query("SELECT COUNT(*) FROM _ AS a CROSS JOIN _ AS b CROSS JOIN _ AS c")
        let file = fixture.file
        let task = Task { try await file.all(of: endless) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The connections are free again.
        #expect(try await file.all(of: Query("SELECT COUNT(*) AS n FROM _"))[0]["n"].int == 2000)
    }

    @Test("of a stream that fails end with the error")
    func failure() async throws {
        let fixture = try fixture()
        let stream = fixture.file.rows(of: try Query("SELECT x FROM nowhere"))
        let error = await #expect(throws: StoreError.self) { for try await _ in stream {} }
        #expect(error?.has(.notFound) == true)
    }

    @Test("of a query that was run before need no new translation")
    func cache() throws {
        let fixture = try fixture()
        try fixture.file.read { snapshot in
            let query = try Query("SELECT name FROM _ WHERE age > $x")
            let first = try snapshot.prepared(query, .init())
            let second = try snapshot.prepared(Query("SELECT name FROM _ WHERE age > $x"), .init())
            #expect(first === second)
        }
        // An index can change the plan.
        let before = try fixture.file.read { try $0.prepared(Query("SELECT age FROM _"), .init()) }
        try fixture.createIndex(.value("byAge", on: "age"))
        let after = try fixture.file.read { try $0.prepared(Query("SELECT age FROM _"), .init()) }
        #expect(before !== after)
    }

    @Test("see what the same transaction has written, and its indexes")
    func transactions() throws {
        let fixture = try fixture()
        let query = try Query("SELECT COUNT(*) AS n FROM _ WHERE age > 30")
        try fixture.file.write { transaction in
            #expect(try query.rows(in: transaction).next()?["n"].int == 1)
            _ = try fixture.store.people.save("c", in: transaction) {
                try $0.writeJSON(#"{"age":99}"#)
            }
            #expect(try query.rows(in: transaction).next()?["n"].int == 2)
            _ = try fixture.store.people.createIndex(.value("byAge", on: "age"), in: transaction)
            #expect(try query.rows(in: transaction).next()?["n"].int == 2)
            #expect(try query.explain(in: transaction).indexes == ["byAge"])
        }
    }
}

@Suite("Limits of queries")
struct QueryLimitTests {
    private let endless = "SELECT COUNT(*) FROM _ AS a CROSS JOIN _ AS b CROSS JOIN _ AS c"

    private func limit(
        _ fixture: QueryFixture, _ text: String, _ limits: QueryLimits
    ) throws -> StoreError? {
        let query = try Query(text)
        return #expect(throws: StoreError.self) {
            try fixture.file.read { try query.rows(in: $0, limits: limits).all() }
        }
    }

    @Test("end a query that takes too long, has too many rows or too large ones")
    func bounds() throws {
        let fixture = try QueryFixture((0..<1500).map { ("d\($0)", "{\"n\":\($0)}") })
        // It would take half an hour.
        let late = try limit(fixture, endless, QueryLimits(seconds: 0.2))
        #expect(late?.has(.queryLimitExceeded) == true)
        let rows = try limit(fixture, "SELECT n FROM _", QueryLimits(rows: 10))
        #expect(rows?.message.contains("more than 10 rows") == true)
        let bytes = try limit(fixture, "SELECT META().id AS id FROM _", QueryLimits(bytes: 100))
        #expect(bytes?.message.contains("more than 100 bytes") == true)
        let value = try limit(
            fixture, "SELECT repeat('x', 100000) AS x FROM _", QueryLimits(bytes: 1000))
        #expect(value?.has(.queryLimitExceeded) == true, "\(String(describing: value))")
        // A query within its limits succeeds.
        let query = try Query("SELECT COUNT(*) AS n FROM _")
        let count = try fixture.file.read {
            try query.rows(in: $0, limits: QueryLimits(seconds: 60, rows: 1, bytes: 1000)).all()
        }
        #expect(count[0]["n"].int == 1500)
    }

    @Test("are not needed for regular expressions: one that takes too long is stopped")
    func patterns() throws {
        let fixture = try QueryFixture([("a", "{\"s\":\"\(String(repeating: "a", count: 60))!\"}")])
        let query = try Query("SELECT regexp_like(s, '(a+)+$') AS r FROM _")
        #expect(throws: StoreError.self) { try fixture.rows(query) }
        let invalid = try Query("SELECT regexp_like(s, '(') AS r FROM _")
        let error = #expect(throws: StoreError.self) { try fixture.rows(invalid) }
        #expect(error?.has(.invalidQuery) == true)
    }
}
