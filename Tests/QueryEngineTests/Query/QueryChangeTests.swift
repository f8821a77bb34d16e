import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import StoreFormat
import StoreTestSupport
import Testing

@Suite("UPDATE and DELETE")
struct QueryChangeTests {
    private func fixture() throws -> QueryFixture {
        try QueryFixture((1...5).map { ("d\($0)", "{\"n\":\($0),\"at\":{\"x\":\($0)},\"t\":[1]}") })
    }

    private func run(
        _ text: String, _ fixture: QueryFixture, _ parameters: QueryParameters = [:]
    ) throws -> Int {
        try fixture.file.write { try Query(text).run(in: $0, parameters) }
    }

    @Test("change the documents that meet the condition, by new revisions")
    func update() throws {
        let fixture = try fixture()
        let count = try run(
            "UPDATE _ AS d SET d.n = d.n * 10, at.y.z = $z, flag = n > 3 UNSET t, at.x "
                + "WHERE n >= 4",
            fixture, ["z": nil])
        #expect(count == 2)
        #expect(
            try fixture.rows("SELECT * FROM _ WHERE flag IS VALUED OR n > 5 ORDER BY n")
                == [
                    #"{"_":{"at":{"y":{"z":null}},"flag":true,"n":40}}"#,
                    #"{"_":{"at":{"y":{"z":null}},"flag":true,"n":50}}"#,
                ])
        let revisions = try fixture.file.read { snapshot in
            try ["d1", "d4"].map { id in
                try fixture.store.people.get(id, in: snapshot)?.sequence
            }
        }
        #expect(revisions == [1, 6])
    }

    @Test("compute all values before the first change")
    func values() throws {
        let fixture = try fixture()
        _ = try run("UPDATE _ AS d SET n = (SELECT MAX(e.n) FROM _ AS e) + d.n", fixture)
        #expect(
            try fixture.rows("SELECT n FROM _ ORDER BY n")
                == [6, 7, 8, 9, 10].map { "{\"n\":\($0)}" })
    }

    @Test("a value on the path to a property is not lost, and no change is partial")
    func ways() throws {
        let fixture = try fixture()
        try fixture.add([("e", #"{"n":{},"t":null}"#)])
        let messages = [
            ("n.x = 1", "n.x cannot be set in the document d1: n is a number, so it has no x"),
            ("t.x = 1", "t.x cannot be set in the document d1: t is an array, so it has no x"),
            ("t[1] = 1", "t[1] cannot be set in the document d1: t ends before [1]"),
            (
                "t[0].x = 1",
                "t[0].x cannot be set in the document d1: t[0] is a number, so it has no x"
            ),
            ("q[0] = 1", "q[0] cannot be set in the document d1: q is missing, so it has no [0]"),
        ]
        for (change, message) in messages {
            let error = #expect(throws: StoreError.self) {
                try run("UPDATE _ SET \(change) WHERE n = 1 OR isobject(n)", fixture)
            }
            #expect(error?.message == message)
        }
        #expect(try run("UPDATE _ SET n.x = 1, t.y = 2 WHERE isobject(n)", fixture) == 1)
        #expect(
            try fixture.rows("SELECT n, t FROM _ WHERE isobject(n)")
                == [#"{"n":{"x":1},"t":{"y":2}}"#])
        #expect(try run("UPDATE _ SET t[-1] = 9 WHERE n = 2", fixture) == 1)
        #expect(try fixture.rows("SELECT t FROM _ WHERE n = 2") == [#"{"t":[9]}"#])
    }

    @Test("a document without the property is not changed, and no property is set twice")
    func nothing() throws {
        let fixture = try fixture()
        #expect(try run("UPDATE _ UNSET nope, n.x", fixture) == 0)
        #expect(try run("UPDATE _ UNSET nope, at.x WHERE n < 3", fixture) == 2)
        for (change, column) in [
            ("SET n = 1, n = 2", 21), ("SET n = 1 UNSET n", 26), ("UNSET n, n", 19),
        ] {
            let error = #expect(throws: StoreError.self) { try run("UPDATE _ \(change)", fixture) }
            #expect(error?.message == "line 1, column \(column): n is set twice in one UPDATE")
        }
    }

    @Test("a value that is missing removes the property")
    func missing() throws {
        let fixture = try fixture()
        _ = try run("UPDATE _ SET n = nope WHERE n = 1", fixture)
        #expect(
            try fixture.rows("SELECT * FROM _ WHERE n IS MISSING")
                == [#"{"_":{"at":{"x":1},"t":[1]}}"#])
    }

    @Test("delete documents, which become tombstones that observers receive")
    func delete() async throws {
        let fixture = try fixture()
        let changes = try fixture.file.changes(of: fixture.store.people.keyStore)
        #expect(try run("DELETE FROM _ WHERE n < 3", fixture) == 2)
        #expect(try run("DELETE FROM _ LIMIT 1", fixture) == 1)
        #expect(try fixture.rows("SELECT COUNT(*) AS n FROM _") == [#"{"n":2}"#])
        #expect(
            try fixture.rows("SELECT COUNT(*) AS n FROM _ WHERE META().deleted") == [#"{"n":3}"#])
        var iterator = changes.makeAsyncIterator()
        let event = await iterator.next()
        #expect(event?.changes.map(\.kind) == [.deleted, .deleted, .deleted])
    }

    @Test("are atomic: a value that cannot be saved undoes the rest")
    func atomic() throws {
        let fixture = try fixture()
        try fixture.file.write { transaction in
            #expect(throws: StoreError.self) {
                try Query("UPDATE _ SET _id = 'x' WHERE n > 0").run(in: transaction)
            }
            let count = try Query("UPDATE _ SET m = 1 WHERE n = 5").run(in: transaction)
            #expect(count == 1)
        }
        #expect(try fixture.rows("SELECT n FROM _ WHERE m = 1") == [#"{"n":5}"#])
    }

    @Test("have no rows, as a SELECT changes nothing")
    func kinds() throws {
        let fixture = try fixture()
        let delete = try Query("DELETE FROM _")
        let error = #expect(throws: StoreError.self) { try fixture.rows(delete) }
        #expect(error?.has(.unsupported) == true)
        let other = #expect(throws: StoreError.self) { try run("SELECT n FROM _", fixture) }
        #expect(other?.has(.unsupported) == true)
    }

    @Test("accept no aggregate function as a value, and count changed documents")
    func aggregates() throws {
        let fixture = try fixture()
        let error = #expect(throws: StoreError.self) {
            try run("UPDATE _ SET n = COUNT(*)", fixture)
        }
        #expect(error?.has(.invalidQuery) == true)
        #expect(try run("DELETE FROM _ WHERE n = 1", fixture) == 1)
        #expect(try run("DELETE FROM _ WHERE META().deleted", fixture) == 0)
        #expect(try run("UPDATE _ SET n = 1 WHERE META().deleted", fixture) == 0)
    }
}
