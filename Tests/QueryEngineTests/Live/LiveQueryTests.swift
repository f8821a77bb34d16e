import DataFileCore
import EngineTestSupport
import Testing
@testable import QueryEngine

@Suite("Live queries", .timeLimit(.minutes(20)))
struct LiveQueryTests {
    let fixture: LiveFixture
    let file: DataFile

    init() throws {
        fixture = try LiveFixture()
        file = fixture.file
        try fixture.save("ada", #"{"name":"Ada","age":36,"team":"a"}"#)
        try fixture.save("bob", #"{"name":"Bob","age":17,"team":"b"}"#)
        try fixture.save("cy", #"{"name":"Cy","age":50,"team":"a"}"#)
    }

    @Test("the first result has all rows, the next ones the inserted, updated and removed rows")
    func unordered() async throws {
        let query = try Query("SELECT name, age FROM _ WHERE age >= $least")
        let reading = LiveReading(query.observe(in: file, ["least": 18]))
        let first = try #require(await reading.next())
        #expect(first.text == "ada cy" && first.difference == nil)
        #expect(first.columnNames == ["name", "age"])
        #expect(first[1]["name"] == "Cy" && first.count == 2)
        try fixture.save("dee", #"{"name":"Dee","age":20}"#)
        #expect(try await reading.text() == "ada cy dee | +dee@2")
        try fixture.save("ada", #"{"name":"Ada","age":37}"#)
        #expect(try await reading.text() == "ada cy dee | ~ada@0")
        try fixture.save("ada", #"{"name":"Ada","age":3}"#)
        let removed = try #require(await reading.next())
        #expect(removed.text == "cy dee | -ada@0")
        #expect(removed.difference?.removed.first?.row["age"] == 37, "the row as it was")
        try fixture.save("bob", #"{"name":"Bob","age":18}"#)
        #expect(try await reading.text() == "cy dee bob | +bob@2")
        try fixture.delete("cy")
        #expect(try await reading.text() == "dee bob | -cy@0")
        try fixture.purge("dee")
        #expect(try await reading.text() == "bob | -dee@0")
    }

    @Test("in an order, rows take their positions, and those that only move are reported as moved")
    func ordered() async throws {
        let query = try Query("SELECT name FROM _ ORDER BY age DESC, META().id")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "cy ada bob")
        try fixture.save("bob", #"{"name":"Bob","age":60}"#)
        #expect(try await reading.text() == "bob cy ada | >bob@0")
        try fixture.save("ada", #"{"name":"A.","age":55}"#)
        #expect(try await reading.text() == "bob ada cy | ~ada@1")
        try await file.write { transaction in
            try fixture.save("x", #"{"name":"X","age":57}"#, transaction)
            try fixture.save("y", #"{"name":"Y","age":1}"#, transaction)
            try fixture.save("z", #"{"name":"Z","age":100}"#, transaction)
        }
        #expect(try await reading.text() == "z bob x ada cy y | +z@0 +x@2 +y@5")
        #expect(try await fixture.counts(query).runs == 1, "SQLite was asked for few rows only")
    }

    @Test("one transaction is one result, and a reverted change is none")
    func transactions() async throws {
        let query = try Query("SELECT name FROM _ WHERE team = 'a'")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "ada cy")
        try await file.write { transaction in
            try fixture.save("ada", #"{"name":"Ada","team":"b"}"#, transaction)
            try fixture.save("bob", #"{"name":"Bob","team":"a"}"#, transaction)
        }
        #expect(try await reading.text() == "cy bob | +bob@1 -ada@0")
        try await file.write { transaction in
            try fixture.save("cy", #"{"name":"?","team":"b"}"#, transaction)
            try fixture.save("cy", #"{"name":"Cy","team":"a"}"#, transaction)
        }
        await #expect(throws: Mishap.self) {
            try await file.write { transaction in
                try fixture.save("new", #"{"name":"New","team":"a"}"#, transaction)
                throw Mishap()
            }
        }
        try fixture.save("eve", #"{"name":"Eve","team":"a"}"#)
        #expect(try await reading.text() == "cy bob eve | +eve@2")
    }

    @Test("rows of groups and joins are identified by their values")
    func values() async throws {
        let query = try Query("SELECT team, COUNT(*) AS n FROM _ GROUP BY team ORDER BY team")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.next()?.map { try $0.json() }.count == 2)
        try fixture.save("dee", #"{"team":"b"}"#)
        #expect(
            try await reading.text()
                == #"? ? | +{"n":2,"team":"b"}@1 -{"n":1,"team":"b"}@1"#)
        try fixture.save("dee", #"{"team":"b","more":1}"#)
        try fixture.save("dee", #"{"team":"a"}"#)
        #expect(
            try await reading.text()
                == #"? ? | +{"n":3,"team":"a"}@0 +{"n":1,"team":"b"}@1 "#
                + #"-{"n":2,"team":"a"}@0 -{"n":2,"team":"b"}@1"#)
    }

    @Test("a slow observer gets the newest result, and its difference from the previous one")
    func slow() async throws {
        let query = try Query("SELECT age FROM _ WHERE age > 18 ORDER BY age")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "ada cy")
        let steps = [#"{"age":51}"#, #"{"age":19}"#, #"{"age":20}"#]
        for json in steps {
            try fixture.save("new", json)
            try await fixture.settle(query)
        }
        try fixture.delete("cy")
        try await fixture.settle(query)
        #expect(try await reading.text() == "new ada | +new@0 -cy@1")
        try fixture.save("brief", #"{"age":30}"#)
        try await fixture.settle(query)
        try fixture.purge("brief")
        try await fixture.settle(query)
        try fixture.save("ada", #"{"age":37}"#)
        #expect(try await reading.text() == "new ada | ~ada@1", "what came and went is not told")
    }

    @Test("documents that expire wake it, as they are purged")
    func expiry() async throws {
        let query = try Query("SELECT META().expiration AS e FROM _ WHERE team = 'a'")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "ada cy")
        let store = fixture.people.keyStore
        try await file.write { _ = try store.setExpiration(1000, of: "ada", in: $0) }
        #expect(try await reading.text() == "ada cy | ~ada@0", "the expiration itself is a change")
        #expect(try await file.write { try $0.purgeExpired(at: 2000) } == 1)
        #expect(try await reading.text() == "cy | -ada@0")
    }

    @Test("documents that the engine itself purges in the background wake it")
    func maintenance() async throws {
        file.close()
        let file = try fixture.engine.open { $0.maintenance = true }
        let reading = LiveReading(file.observe(try Query("SELECT name FROM _ WHERE age > 20")))
        #expect(try await reading.text() == "ada cy")
        let store = fixture.people.keyStore
        try await file.write { transaction in
            _ = try store.setExpiration(transaction.state.now() + 5, of: "cy", in: transaction)
        }
        #expect(try await reading.text() == "ada | -cy@1")
    }

    @Test("tombstones, if the query includes them")
    func tombstones() async throws {
        let query = try Query("SELECT META().deleted AS gone FROM _ WHERE META().deleted")
        let reading = LiveReading(file.observe(query))
        #expect(try await reading.text() == "")
        try fixture.delete("bob")
        #expect(try await reading.text() == "bob | +bob@0")
        try fixture.save("bob", #"{"name":"Bob"}"#)
        #expect(try await reading.text() == " | -bob@0")
    }

    @Test("rows own their values, and remain valid after the file is closed")
    func outlive() async throws {
        let reading = LiveReading(file.observe(try Query("SELECT * FROM _ WHERE team = 'a'")))
        let results = try #require(await reading.next())
        file.close()
        #expect(try results.map { try $0.json() }.joined().contains(#""name":"Ada""#))
        struct Person: Decodable { var name: String }
        #expect(try results.decode(Person.self).map(\.name) == ["Ada", "Cy"])
    }
}
