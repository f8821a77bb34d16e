import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import Testing

/// Files that were crafted to do harm, or are damaged in unusual ways.
@Suite("Hostile files", .timeLimit(.minutes(20)))
struct HostileFileTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
    }

    private func alter(_ sql: String) throws {
        try fixture.sqlite().exec(sql: "PRAGMA writable_schema=on; " + sql)
    }

    private static let endless =
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT "

    @Test("a view instead of a collection's table is not a collection")
    func viewAsStore() throws {
        try alter(
            "DROP TABLE kv_default; CREATE VIEW kv_default AS \(Self.endless) n AS key, "
                + "n AS sequence, 0 AS flags, NULL AS version, NULL AS body FROM r")
        let file = try fixture.open()
        #expect(try file.read { try $0.collectionNames() } == [])
        let error = #expect(throws: StoreError.self) {
            try file.read { try fixture.people.get("a", in: $0) }
        }
        #expect(error?.has(.notFound) == true)
    }

    @Test(
        "a view instead of a table that every file has is an error",
        arguments: ["kv_info", "kvmeta"])
    func viewAsTable(name: String) throws {
        try alter(
            "DROP TABLE \(name); CREATE VIEW \(name) AS \(Self.endless) n AS key, n AS name, "
                + "n AS body, n AS lastSeq FROM r")
        let error = #expect(throws: StoreError.self) {
            try fixture.open().read { try $0.fileInfo() }
        }
        #expect(error?.has(.wrongFormat) == true)
    }

    @Test("names are quoted by scalars: a quote with an accent ends a name, too")
    func quoting() throws {
        #expect("a\"b".sqlName == "\"a\"\"b\"")
        let tricky = "kv_.a\"\u{301}, (\(Self.endless.lowercased()) n from r) --"
        #expect(tricky.sqlName.unicodeScalars.count { $0 == "\"" } == 4)
        let columns = "(key, sequence, flags, version, body, expiration, extra)"
        try fixture.sqlite().exec(
            sql: "CREATE TABLE \(tricky.sqlName) \(columns); "
                + "CREATE TABLE \"kv_.a\" \(columns)")
        try fixture.open().read { snapshot in
            for name in try snapshot.collectionNames() {
                #expect(try DocumentCollection(name).count(in: snapshot) == (0, 0))
            }
            #expect(try snapshot.collectionNames().count == 3)
        }
    }

    @Test("names that Swift considers equal are two stores")
    func canonicalEquivalence() throws {
        let columns = "(key, sequence, flags, version, body, expiration, extra)"
        try fixture.sqlite().exec(
            sql: """
                CREATE TABLE "kv_.\u{e9}" \(columns); CREATE TABLE "kv_.e\u{301}" \(columns);
                INSERT INTO "kv_.\u{e9}" (key) VALUES ('x')
                """)
        try fixture.open().read { snapshot in
            let counts = try [".\u{e9}", ".e\u{301}"].map {
                try KeyStore(KeyStoreName($0)).count(in: snapshot).live
            }
            #expect(counts == [1, 0])
        }
        #expect(throws: StoreError.self) { try DocumentID.validate("_\u{301}x") }
    }

    @Test("other tables are not stores", arguments: ["kv_.Foo", "kv_Bar", "kv_.a:b"])
    func notAStore(table: String) throws {
        try fixture.sqlite().exec(sql: "CREATE TABLE \"\(table)\" (a)")
        #expect(try fixture.open().read { try $0.collectionNames() } == [.default])
    }

    @Test(
        "sequences at the end of their range are an error",
        arguments: [
            "INSERT INTO kvmeta (name, lastSeq) VALUES ('default', 9223372036854775807)",
            "INSERT INTO kvmeta (name, lastSeq) VALUES ('default', 1e30)",
            "INSERT INTO kv_default (key, sequence) VALUES ('x', 9223372036854775807)",
        ])
    func lastSequence(sql: String) throws {
        try fixture.sqlite().exec(sql: sql)
        let file = try fixture.open()
        let error = #expect(throws: StoreError.self) { try fixture.save("a", "{}", in: file) }
        #expect(error?.has(.corruptData) == true)
    }

    @Test("unusual values in a row are read, and the row can be changed and deleted")
    func oddRows() throws {
        let file = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET flags = NULL, sequence = NULL")
        #expect(try file.read { try fixture.people.count(in: $0) } == (1, 0))
        try file.read { snapshot in
            let records = try fixture.people.keyStore.records(in: snapshot)
            #expect(try records.next()?.key == "a")
        }
        try fixture.save("a", #"{"n":2}"#, in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET flags = NULL, sequence = NULL")
        #expect(try file.write { try fixture.people.delete("a", in: $0) } != nil)
        #expect(try file.read { try fixture.people.count(in: $0) } == (0, 1))
    }

    @Test(
        "facts that only the flags record are preserved, or end with the revision",
        arguments: [(DocumentFlags.synced, 1), (.conflicted, 0), (.rejected, 0)])
    func remoteFlags(flag: DocumentFlags, remotes: Int) throws {
        let file = try fixture.open()
        let first = try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET flags = \(flag.rawValue)")
        try fixture.save("a", #"{"n":2}"#, in: file)
        let history = try #require(try file.read { try fixture.people.history(of: "a", in: $0) })
        #expect(history.remotes == (remotes > 0 ? [1: first.revisionID] : [:]))
        #expect(try file.read { try fixture.people.get("a", in: $0) }?.flags == [])
        #expect(try fixture.json("a", in: file) == #"{"_id":"a","n":2}"#)
    }

    @Test(
        "a file that has lost its shared keys is not written to: new keys would get their numbers")
    func lostSharedKeys() throws {
        let file = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(sql: "DELETE FROM kv_info WHERE key='SharedKeys'")
        let error = #expect(throws: StoreError.self) {
            try fixture.save("b", #"{"other":1}"#, in: file)
        }
        #expect(error?.has(.corruptData) == true)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET body = NULL")
        try fixture.save("b", #"{"other":1}"#, in: file)
        #expect(try fixture.json("b", in: file) == #"{"_id":"b","other":1}"#)
    }

    @Test("a damaged revision is an error that names the document")
    func damagedRevision() throws {
        let file = try fixture.open()
        try fixture.save("a", "{}", in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET version = x'00'")
        let error = #expect(throws: StoreError.self) { try fixture.save("a", "{}", in: file) }
        #expect(error?.has(.corruptRevisionData) == true)
        #expect(error?.message.contains("\"a\"") == true)
    }

    @Test("a document that is both live and a tombstone is deleted completely")
    func liveAndDeleted() throws {
        let file = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(
            sql: "INSERT INTO kv_del_default SELECT * FROM kv_default; "
                + "UPDATE kv_del_default SET flags = 1")
        #expect(try fixture.json("a", in: file) == #"{"_id":"a","n":1}"#)
        let saved = try file.write { try fixture.people.delete("a", in: $0) }
        #expect(saved?.sequence == 2)
        #expect(try file.read { try fixture.people.count(in: $0) } == (0, 1))
    }

    @Test("a tree of more revisions than indexes can address is damaged")
    func tooManyRevisions() {
        let record: [UInt8] = [0, 0, 0, 0x0C, 0xFF, 0xFF, 0x03, 0x03, 0x02, 0xBB, 0xBB, 0x00]
        for (count, isValid) in [(65_535, true), (65_536, false)] {
            let bytes = Array(repeating: record, count: count).joined() + [0, 0, 0, 0]
            #expect(((try? RevisionTree(binary: Array(bytes))) != nil) == isValid)
        }
    }
}
