import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import SQLCore
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("Damaged shared keys")
struct DamagedSharedKeysTests {
    let fixture: StoreFixture
    private let sound: SQLValue

    /// A file with two documents and an index, whose shared keys are then damaged.
    init() throws {
        fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("a", #"{"name":"Ada","age":36}"#, in: file)
        try fixture.save("b", #"{"name":"Bo"}"#, in: file)
        file.close()
        let sqlite = try fixture.sqlite()
        sound =
            try sqlite.selectValue(sql: "SELECT body FROM kv_info WHERE key='SharedKeys'")
            ?? .null
        try sqlite.exec(sql: "UPDATE kv_info SET body = x'FFFF' WHERE key = 'SharedKeys'")
    }

    private func expectDamage(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) {
        let error = storeError(.corruptData, sourceLocation: sourceLocation, body)
        #expect(
            error?.message.hasPrefix("the shared keys of \(fixture.path) are damaged: ") == true,
            sourceLocation: sourceLocation)
    }

    @Test("do not affect what needs none: rows, counts, sequences, metadata of the file")
    func withoutBodies() throws {
        try fixture.open(.readOnly).read { snapshot in
            var options = RecordEnumerator.Options()
            options.content = .metadata
            #expect(try fixture.people.keyStore.keys(options, in: snapshot) == ["a", "b"])
            #expect(try fixture.people.count(in: snapshot) == (2, 0))
            #expect(try fixture.people.keyStore.lastSequence(in: snapshot) == 2)
            #expect(try snapshot.collectionNames() == [.default])
            #expect(try snapshot.fileInfo().sharedKeyCount == nil)
            #expect(snapshot.sharedKeys.count == 0)
            var keys: [String] = []
            try snapshot.sqlRows("SELECT key FROM kv_default ORDER BY key") { row in
                if case .text(let key) = row.value(at: 0) { keys.append(key) }
                return true
            }
            #expect(keys == ["a", "b"])
        }
    }

    @Test("are the error of reading a body")
    func bodies() throws {
        try fixture.open(.readOnly).read { snapshot in
            let people = fixture.people
            expectDamage { _ = try people.get("a", in: snapshot) }
            expectDamage { try people.forEach(in: snapshot) { _ in } }
            expectDamage { _ = try people.history(of: "a", in: snapshot) }
            expectDamage {
                try people.records(.init(), in: snapshot).forEachRow { row in
                    try row.withProperties { _ in true }
                }
            }
            expectDamage { _ = try Query("SELECT name FROM _").rows(in: snapshot).all() }
            expectDamage { _ = try snapshot.requireSharedKeys() }
            // Not a row without the properties of the body.
            for sql in [
                "fl_value(body, 'name')", "fl_exists(body, 'name')", "count(fl_root(body))",
            ] {
                expectDamage {
                    try snapshot.sqlRows("SELECT \(sql) FROM kv_default") { _ in
                        Issue.record("\(sql) has given a row")
                        return true
                    }
                }
            }
        }
    }

    @Test("prevent all writes")
    func writing() throws {
        let file = try fixture.open()
        let before = try fixture.sqlite().lines("SELECT * FROM kv_default")
        expectDamage { _ = try fixture.save("c", #"{"other":1}"#, in: file) }
        expectDamage { _ = try file.write { try fixture.people.delete("a", in: $0) } }
        expectDamage { _ = try file.write { try fixture.people.purge("a", in: $0) } }
        #expect(try fixture.sqlite().lines("SELECT * FROM kv_default") == before)
    }

    @Test("that are fixed are read by a file that is open")
    func fixed() throws {
        let file = try fixture.open()
        expectDamage { _ = try fixture.json("a", in: file) }
        try fixture.sqlite().exec(
            sql: "UPDATE kv_info SET body = ? WHERE key = 'SharedKeys'", parameters: [sound])
        #expect(try fixture.json("a", in: file) == #"{"_id":"a","age":36,"name":"Ada"}"#)
        let rows = try file.read {
            try Query("SELECT name FROM _ ORDER BY name").rows(in: $0).all()
        }
        #expect(rows.map { $0[0].string } == ["Ada", "Bo"])
        try fixture.save("c", #"{"other":1}"#, in: file)
        #expect(try fixture.json("c", in: file) == #"{"_id":"c","other":1}"#)
    }
}
