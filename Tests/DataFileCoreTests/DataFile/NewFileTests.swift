import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A new file")
struct NewFileTests {
    @Test("has the tables, rows and settings that LiteCore requires")
    func contents() throws {
        let fixture = try StoreFixture()
        let sqlite = try fixture.sqlite()
        let record =
            "(  key TEXT PRIMARY KEY,  sequence INTEGER,  flags INTEGER DEFAULT 0,"
            + "  version BLOB,  body BLOB,  expiration INTEGER,  extra BLOB)"
        let sql = try sqlite.selectAll(
            sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
        #expect(
            sql.compactMap(\.first?.textValue) == [
                #"CREATE TABLE "kv_default" \#(record)"#,
                #"CREATE INDEX "kv_default_expiration" ON "kv_default" (expiration) "#
                    + "WHERE expiration not null",
                #"CREATE TABLE "kv_del_default" \#(record)"#,
                #"CREATE INDEX "kv_del_default_expiration" ON "kv_del_default" (expiration) "#
                    + "WHERE expiration not null",
                #"CREATE TABLE "kv_info" \#(record)"#,
                #"CREATE INDEX "kv_info_expiration" ON "kv_info" (expiration) "#
                    + "WHERE expiration not null",
                "CREATE TABLE kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0, "
                    + "purgeCnt INTEGER DEFAULT 0) WITHOUT ROWID",
            ])
        let info = try sqlite.selectAll(
            sql: "SELECT key, length(body), typeof(sequence) FROM kv_info ORDER BY key")
        #expect(
            info == [
                [.text("maxRowidWithDeletedInDefault"), .long(8), .text("null")],
                [.text("privateUUID"), .long(16), .text("null")],
                [.text("publicUUID"), .long(16), .text("null")],
                [.text("versioning"), .long(8), .text("null")],
            ])
        let numbers = try sqlite.selectAll(
            sql: "SELECT hex(body) FROM kv_info WHERE length(body) = 8 ORDER BY key")
        #expect(numbers == [[.text("0000000000000000")], [.text("0000000000000002")]])
        #expect(sqlite.userVersion == 503)
        #expect(try sqlite.selectValue(sql: "PRAGMA auto_vacuum") == .long(2))
        #expect(try sqlite.selectValue(sql: "PRAGMA journal_mode") == .text("wal"))
    }

    @Test("two files have different UUIDs")
    func uuids() throws {
        let fixtures = try [StoreFixture(), StoreFixture()]
        let uuids = try fixtures.flatMap { fixture in
            try fixture.sqlite()
                .selectAll(sql: "SELECT hex(body) FROM kv_info WHERE length(body) = 16")
                .compactMap(\.first?.textValue)
        }
        #expect(Set(uuids).count == 4)
    }

    @Test("is opened, not created again, the second time")
    func openedAgain() throws {
        let fixture = try StoreFixture()
        let before = try fixture.open(.create).read { try $0.fileInfo().publicUUID }
        let after = try fixture.open(.create).read { try $0.fileInfo().publicUUID }
        #expect(before == after)
    }

    @Test(
        "a file that a crash left empty is filled by a writer, and explained to a reader",
        arguments: [DataFileOptions.Access.readWrite, .create])
    func leftEmpty(access: DataFileOptions.Access) throws {
        let fixture = try StoreFixture()
        let path = fixture.directory("half.cblite2")
        let database = path + "/db.sqlite3"
        #expect(FileSystem.createDirectory(path))
        try SQLContext(path: database).exec(
            sql: "PRAGMA auto_vacuum=incremental; PRAGMA journal_mode=WAL")
        let error = #expect(throws: StoreError.self) { try DataFile(path: path) }
        #expect(
            error?.message.contains("\(path) is empty: its creation was interrupted") == true)
        let file = try DataFile(path: path, options: DataFileOptions(access: access))
        #expect(file.schemaVersion == 503)
        #expect(try file.read { try $0.collectionNames() } == [.default])
    }

    @Test("a file of no bytes that a crash left is filled by a writer, and not by a reader")
    func leftWithoutBytes() throws {
        let fixture = try StoreFixture()
        let path = fixture.directory("half.cblite2")
        #expect(FileSystem.createDirectory(path))
        try Data().write(to: URL(filePath: path + "/db.sqlite3"))
        try Data(count: 512).write(to: URL(filePath: path + "/db.sqlite3-journal"))
        let error = #expect(throws: StoreError.self) { try DataFile(path: path) }
        #expect(error?.message.contains("db.sqlite3 is empty") == true)
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        #expect(try file.read { try $0.collectionNames() } == [.default])
    }

    @Test("a file without tables in a directory with blobs is damaged, and is not filled")
    func emptied() throws {
        let fixture = try StoreFixture()
        let path = fixture.directory("lost.cblite2")
        #expect(
            FileSystem.createDirectory(path) && FileSystem.createDirectory(path + "/Attachments"))
        try SQLContext(path: path + "/db.sqlite3").exec(
            sql: "PRAGMA auto_vacuum=incremental; PRAGMA journal_mode=WAL")
        let error = #expect(throws: StoreError.self) {
            try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        }
        #expect(error?.has(.wrongFormat) == true)
    }

    @Test("is not created in a directory that contains other files")
    func otherFiles() throws {
        let fixture = try StoreFixture()
        let error = #expect(throws: StoreError.self) {
            try DataFile(path: fixture.directory.path, options: DataFileOptions(access: .create))
        }
        #expect(error?.has(.cannotOpenFile) == true)
    }

    @Test("nothing is left if it cannot be created")
    func cannotBeMade() throws {
        let fixture = try StoreFixture()
        let path = fixture.directory("missing/deep.cblite2")
        #expect(throws: StoreError.self) {
            try DataFile(path: path, options: DataFileOptions(access: .create))
        }
        #expect(FileSystem.kind(path) == .nothing)
    }
}
