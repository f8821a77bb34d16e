import EngineTestSupport
import FleeceLite
import SQLCore
import SampleData
import StoreFormat
import Testing
@testable import DataFileCore

@Suite("Collection")
struct CollectionTests {
    let fixture: StoreFixture
    let file: DataFile

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try fixture.sqlite().selectAll(sql: sql)
    }

    @Test("1,000 documents are read back equal after the file was closed")
    func thousandDocuments() throws {
        let people = Array(People(count: 1000, seed: 7))
        try file.write { transaction in
            for person in people {
                _ = try fixture.people.save(in: transaction) { encoder in
                    try Array(person.utf8).withUnsafeBytes {
                        try encoder.writeJSON($0, lifting: "_id")
                    }
                }
            }
        }
        file.close()
        let reopened = try fixture.open(.readOnly)
        var found: [String] = []
        try reopened.read { snapshot in
            #expect(try fixture.people.count(in: snapshot) == (1000, 0))
            try fixture.people.forEach(in: snapshot) { document in
                var writer = JSONWriter()
                try document.get().write(to: &writer)
                found.append(writer.text.string)
            }
        }
        #expect(found == people.sorted())
        #expect(try rows("PRAGMA integrity_check") == [[.text("ok")]])
        #expect(try rows("SELECT * FROM kvmeta") == [[.text("default"), .long(1000), .long(0)]])
        #expect(
            try rows(
                "SELECT count(DISTINCT sequence), min(sequence), max(sequence) FROM kv_default")
                == [[.long(1000), .long(1), .long(1000)]])
    }

    @Test("a saved row is the same as LiteCore's for a first revision")
    func rowOfFirstRevision() throws {
        let saved = try fixture.save("ada", #"{"name":"Ada"}"#, in: file)
        #expect(saved.isNew)
        #expect(saved.sequence == 1)
        let row = try #require(
            try rows(
                "SELECT key, sequence, flags, version, body, expiration, extra FROM kv_default"
            )
            .first)
        #expect(row[0...2] == [.text("ada"), .long(1), .long(0)])
        let version = try #require(row[3].bytesValue)
        #expect(version.first == 0)
        #expect(version.last == 0x80, "a source of no bytes, marked as current")
        // "name" is shared key 0: 43 "Ada", then a dictionary of one pair, then the trailer.
        #expect(
            row[4].bytesValue
                == [0x43, 0x41, 0x64, 0x61, 0x70, 0x01, 0x00, 0x00, 0x80, 0x04, 0x80, 0x03])
        #expect(row[5...6] == [.null, .null])
    }

    @Test("a change has a later version and sequence, and drops the old body")
    func change() throws {
        let first = try fixture.save("ada", #"{"n":1}"#, in: file)
        let second = try fixture.save("ada", #"{"n":2}"#, in: file)
        #expect(!second.isNew)
        #expect(second.sequence == 2)
        #expect(try time(second) > time(first))
        #expect(try fixture.json("ada", in: file) == #"{"_id":"ada","n":2}"#)
        #expect(try rows("SELECT count(*) FROM kv_default") == [[.long(1)]])
    }

    private func time(_ saved: DocumentCollection.Saved) throws -> LogicalTime {
        guard case .vector(let vector) = saved.revisionID else { throw StoreError.lostRow("") }
        return vector.latestTime
    }

    @Test("a deleted document is a tombstone in the other table, and can be restored")
    func deleteAndUndelete() throws {
        try fixture.save("ada", #"{"n":1}"#, in: file)
        try fixture.sqlite().exec(sql: "UPDATE kv_default SET expiration = 4102444800000")
        let deleted = try file.write { try fixture.people.delete("ada", in: $0) }
        #expect(deleted?.sequence == 2)
        #expect(try rows("SELECT count(*) FROM kv_default") == [[.long(0)]])
        #expect(
            try rows("SELECT key, sequence, flags, body, expiration, extra FROM kv_del_default")
                == [[.text("ada"), .long(2), .long(1), .null, .long(4_102_444_800_000), .null]])
        #expect(try file.write { try fixture.people.delete("ada", in: $0) } == nil)
        #expect(try file.read { try fixture.people.count(in: $0) } == (0, 1))

        let back = try fixture.save("ada", #"{"n":3}"#, in: file)
        #expect(back.isNew)
        #expect(back.sequence == 3)
        #expect(try rows("SELECT count(*) FROM kv_del_default") == [[.long(0)]])
        #expect(
            try rows("SELECT flags, expiration FROM kv_default")
                == [[.long(0), .long(4_102_444_800_000)]])
    }

    @Test("a purge leaves only a count, of live documents or of tombstones")
    func purge() throws {
        try fixture.save("a", "{}", in: file)
        try fixture.save("b", "{}", in: file)
        _ = try file.write { try fixture.people.delete("b", in: $0) }
        #expect(try file.write { try fixture.people.purge("a", in: $0) })
        #expect(try file.write { try fixture.people.purge("b", in: $0) })
        #expect(try !file.write { try fixture.people.purge("c", in: $0) })
        #expect(
            try rows("SELECT name, lastSeq, purgeCnt FROM kvmeta ORDER BY name") == [
                [.text("default"), .long(3), .long(1)],
                [.text("del_default"), .long(0), .long(1)],
            ])
        #expect(try rows("SELECT key FROM kv_default UNION SELECT key FROM kv_del_default") == [])
    }

    @Test("an empty document has no body")
    func emptyDocument() throws {
        try fixture.save("nothing", "{}", in: file)
        #expect(try rows("SELECT body FROM kv_default") == [[.null]])
        #expect(try fixture.json("nothing", in: file) == #"{"_id":"nothing"}"#)
    }

    @Test(
        "a body that refers to a blob is marked, wherever the reference is",
        arguments: [
            (#"{"a":[{"b":{"@type":"blob","digest":"sha1-"}}]}"#, Int64(4)),
            (#"{"@type":"other","x":"@type","y":["blob"]}"#, 0), (#"{"@type":"blob"}"#, 4),
        ])
    func blobs(json: String, flags: Int64) throws {
        try fixture.save("doc", json, in: file)
        #expect(try rows("SELECT flags FROM kv_default") == [[.long(flags)]])
    }

    @Test(
        "reserved properties are rejected",
        arguments: ["_id", "_rev", "_deleted"])
    func reserved(name: String) throws {
        let error = #expect(throws: StoreError.self) {
            try fixture.save("doc", #"{"\#(name)":"x"}"#, in: file)
        }
        #expect(error?.has(.invalidParameter) == true)
        try fixture.save("doc", #"{"inner":{"\#(name)":"x"}}"#, in: file)
    }

    @Test("an array is not a document")
    func array() throws {
        let error = #expect(throws: StoreError.self) { try fixture.save("doc", "[1]", in: file) }
        #expect(error?.has(.invalidParameter) == true)
    }

    @Test("a missing collection is an error that names it")
    func noCollection() throws {
        let other = DocumentCollection(try CollectionName("hr.staff"))
        let error = #expect(throws: StoreError.self) { try file.read { try other.count(in: $0) } }
        #expect(error?.has(.notFound) == true)
        #expect(error?.message == "\(fixture.path) has no collection hr.staff")
    }
}
