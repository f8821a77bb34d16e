import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Opening for reading")
struct ReadOnlyTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.save("a", #"{"n":1}"#, in: file)
        file.close()
    }

    private var files: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: fixture.path)) ?? [])
    }

    private func bytes() throws -> String {
        try ChildProcess.hexadecimalBytes(ofFile: fixture.path + "/db.sqlite3")
    }

    @Test("creates no files and changes no byte")
    func noTrace() throws {
        let before = try bytes()
        let file = try fixture.open(.readOnly)
        #expect(try fixture.json("a", in: file) == #"{"_id":"a","n":1}"#)
        try file.read { _ in _ = try fixture.json("a", in: file) }
        file.close()
        #expect(files == ["db.sqlite3"])
        #expect(try bytes() == before)
    }

    @Test("sees what a writer has in its WAL, and leaves the WAL to the writer")
    func liveWriter() throws {
        let writer = try fixture.open()
        try fixture.save("b", #"{"n":2}"#, in: writer)
        let before = try bytes()
        do {
            let file = try fixture.open(.readOnly)
            #expect(try fixture.json("b", in: file) == #"{"_id":"b","n":2}"#)
            try fixture.save("c", #"{"n":3}"#, in: writer)
            #expect(try fixture.json("c", in: file) == #"{"_id":"c","n":3}"#)
        }
        #expect(files.contains("db.sqlite3-wal"))
        #expect(try bytes() == before)
        writer.close()
        #expect(files == ["db.sqlite3"])
    }

    @Test("continues after the writer was closed and removed its WAL")
    func writerGone() throws {
        let writer = try fixture.open()
        try fixture.save("b", #"{"n":2}"#, in: writer)
        let file = try fixture.open(.readOnly)
        writer.close()
        #expect(try fixture.json("b", in: file) == #"{"_id":"b","n":2}"#)
        file.close()
        #expect(files == ["db.sqlite3"])
    }

    @Test("reads the WAL of a writer that crashed, and does not checkpoint it")
    func crashedWriter() throws {
        let copy = fixture.directory("crashed.cblite2")
        let writer = try fixture.open()
        try fixture.save("b", #"{"n":2}"#, in: writer)
        // A copy of a file and its WAL without the wal-index, as left by a crash.
        try FileManager.default.createDirectory(
            atPath: copy, withIntermediateDirectories: false)
        for name in ["db.sqlite3", "db.sqlite3-wal"] {
            try FileManager.default.copyItem(
                atPath: "\(fixture.path)/\(name)", toPath: "\(copy)/\(name)")
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: copy + "/db.sqlite3-wal"))
        let file = try DataFile(path: copy)
        #expect(try fixture.json("b", in: file) == #"{"_id":"b","n":2}"#)
        file.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy + "/db.sqlite3-wal")) == before)
    }

    @Test("cannot write, whatever SQL is run")
    func queryOnly() throws {
        let file = try fixture.open(.readOnly)
        let error = #expect(throws: StoreError.self) {
            try file.read { snapshot in
                try snapshot.connection().run("DELETE FROM kv_default")
            }
        }
        #expect(error?.has(.notWriteable) == true)
    }

    @Test("finds the tombstone whose last two columns an upgrade had swapped")
    func swappedTombstone() throws {
        let tree: [UInt8] = [
            0, 0, 0, 0x0C, 0xFF, 0xFF, 0x03, 0x03, 0x02, 0xBB, 0xBB, 0x00, 0, 0, 0, 0, 0, 0, 0, 0,
        ]
        try fixture.sqlite().exec(
            sql: """
                INSERT INTO kv_del_default (key, sequence, flags, version, body, expiration)
                VALUES ('gone', 9, 1, x'02BBBB', x'7000', ?)
                """,
            parameters: [.blob(tree)])
        let file = try fixture.open(.readOnly)
        try file.read { snapshot in
            let record = try #require(try fixture.people.keyStore.get("gone", in: snapshot))
            #expect(record.extra == tree)
            #expect(record.expiration == nil)
            #expect(record.layout == .treeInExtra)
            #expect(try record.revisionID()?.description == "2-bbbb")
            let metadata = try fixture.people.keyStore.get(
                "gone", content: .metadata, in: snapshot)
            #expect(metadata?.extraSize == tree.count)
            #expect(metadata?.expiration == nil)
        }
    }
}
