import EngineTestSupport
import SQLCore
import StoreTestSupport
import Testing
import StoreFormat

@Suite("An upgrade that fails")
struct UpgradeRefusalTests {
    static let sound = OldFile(
        version: 400,
        tables: ["kv_default": ["extra"], "kv_info": ["extra"], "kv_.x": ["extra"]])

    struct Refusal: CustomTestStringConvertible, Sendable {
        let sql: String
        let code: StoreError.Code
        let reason: String
        var testDescription: String { sql }
    }

    static let refusals: [Refusal] = [
        Refusal(sql: "PRAGMA user_version=200", code: .databaseTooOld, reason: "schema 200"),
        Refusal(sql: "PRAGMA user_version=504", code: .cannotUpgradeDatabase, reason: "504"),
        Refusal(sql: "PRAGMA user_version=599", code: .cannotUpgradeDatabase, reason: "599"),
        Refusal(sql: "PRAGMA user_version=600", code: .databaseTooNew, reason: "600"),
        Refusal(
            sql: "CREATE TRIGGER t AFTER DELETE ON \"kv_.x\" BEGIN SELECT other(old.body); END",
            code: .unsupported, reason: "that use other, which"),
        Refusal(
            sql: "CREATE VIEW kv_y AS SELECT 1 AS key, 2 AS sequence, 3 AS flags, 4 AS body",
            code: .wrongFormat, reason: "kv_y is a view"),
        Refusal(
            sql: "CREATE VIEW KV_DEL_DEFAULT AS SELECT 1 AS key", code: .wrongFormat,
            reason: "KV_DEL_DEFAULT is a view"),
        Refusal(
            sql: "CREATE VIRTUAL TABLE kv_y USING fts4(key)", code: .wrongFormat,
            reason: "kv_y is a view or a virtual table"),
        Refusal(
            sql: "DROP TABLE indexes; CREATE VIEW indexes AS SELECT 1 AS name", code: .wrongFormat,
            reason: "indexes is a view"),
        Refusal(
            sql: "DROP TABLE kvmeta; CREATE VIEW kvmeta AS SELECT 1 AS name, 2 AS lastSeq",
            code: .wrongFormat, reason: "kvmeta"),
        Refusal(sql: "DROP TABLE kv_info", code: .wrongFormat, reason: "kv_info"),
        Refusal(
            sql: "CREATE TABLE kv_y (key, sequence, flags, body)", code: .wrongFormat,
            reason: "version"),
        Refusal(
            sql: "ALTER TABLE indexes RENAME COLUMN keyStore TO other", code: .wrongFormat,
            reason: "keyStore"),
        Refusal(
            sql: "ALTER TABLE \"kv_.x\" ADD COLUMN future BLOB", code: .unsupported,
            reason: "future"),
        Refusal(
            sql: "CREATE TABLE kv_default_expiration (a)", code: .wrongFormat,
            reason: "kv_default_expiration"),
        Refusal(
            sql: "CREATE TABLE other (a); CREATE INDEX \"kv_.x_expiration\" ON other (a)",
            code: .invalidParameter, reason: "kv_.x_expiration is taken"),
        Refusal(
            sql: "CREATE TABLE \"KV_DEL_.x\" (key, sequence, flags, version, body)",
            code: .invalidParameter, reason: "kv_del_.x is taken"),
    ]

    @Test("is rejected with a reason, and does not change the file", arguments: refusals)
    func refused(refusal: Refusal) throws {
        let context = try Self.sound.make(rows: 3)
        try context.exec(sql: "PRAGMA case_sensitive_like=true")
        try context.exec(sql: refusal.sql)
        let rows = try FileRows(context)
        let version = try context.pragma("user_version")
        let schema = try context.selectAll(sql: "SELECT type, name, sql FROM sqlite_master")
        try context.writing { context in
            let error = #expect(throws: StoreError.self) {
                try SchemaUpgrade.run(in: context, path: "old.cblite2")
            }
            #expect(error?.has(refusal.code) == true, "\(String(describing: error))")
            #expect(error?.message.contains(refusal.reason) == true, "\(error?.message ?? "")")
        }
        // Even though the caller has committed.
        #expect(try FileRows(context) == rows)
        #expect(try context.pragma("user_version") == version)
        #expect(
            try context.selectAll(sql: "SELECT type, name, sql FROM sqlite_master") == schema)
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("requires a transaction")
    func transaction() throws {
        let context = try Self.sound.make(rows: 1)
        let error = #expect(throws: StoreError.self) {
            try SchemaUpgrade.run(in: context, path: "old.cblite2")
        }
        #expect(error?.has(.notInTransaction) == true)
    }

    @Test("that is interrupted leaves the file complete, in its old version")
    func interrupted() throws {
        struct Stop: Error {}
        let directory = try TemporaryDirectory()
        let path = directory("db.sqlite3")
        let original = try OldFile.all[6].make()
        _ = try original.exec(sql: "VACUUM INTO '\(path)'")
        let rows = try FileRows(original)
        for _ in 0..<2 {
            let context = try SQLContext(path: path)
            #expect(throws: Stop.self) {
                try context.writing {
                    _ = try SchemaUpgrade.run(in: $0, path: path)
                    throw Stop()
                }
            }
        }
        let context = try SQLContext(path: path)
        #expect(try FileRows(context) == rows)
        #expect(try context.pragma("user_version") == .long(400))
        #expect(try context.upgrade().oldVersion == 400)
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("on a disk that is full at any page does not change the file", arguments: [1, 6, 7])
    func full(number: Int) throws {
        let directory = try TemporaryDirectory()
        let original = try OldFile.all[number].make()
        try original.exec(sql: "VACUUM INTO '\(directory("db.sqlite3"))'")
        let rows = try FileRows(original)
        let context = try SQLContext(path: directory("db.sqlite3"))
        try context.exec(sql: "PRAGMA journal_mode=WAL")
        let schema = try context.selectAll(sql: "SELECT type, name, sql FROM sqlite_master")
        let pages = try #require(try context.pragma("page_count")?.longValue)
        var limit = pages
        while limit < pages + 1000 {
            try context.exec(sql: "PRAGMA max_page_count=\(limit)")
            do {
                _ = try context.upgrade()
                break
            } catch let error as StoreError {
                #expect(error.domain == .posix)
                #expect(error.message.contains("disk is full"))
            }
            #expect(!context.isInTransaction)
            #expect(try FileRows(context) == rows)
            #expect(
                try context.selectAll(sql: "SELECT type, name, sql FROM sqlite_master") == schema)
            limit += 1
        }
        #expect((2...200).contains(limit - pages), "\(limit - pages) pages were needed")
        #expect(try context.pragma("user_version") == .long(503))
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("a file without a row on versioning: 2.x stores trees in bodies, a later file is damaged")
    func versioning() throws {
        for (version, expected) in [(201, InfoRow.Number.number(0)), (302, .number(0))] {
            let file = OldFile(
                version: version, tables: ["kv_default": [], "kv_info": []], hasVersioning: false)
            let context = try file.make(rows: 2)
            _ = try context.upgrade()
            #expect(try InfoRow.number("versioning", in: context) == expected)
        }
        let file = OldFile(
            version: 400, tables: ["kv_default": ["extra"], "kv_info": ["extra"]],
            hasVersioning: false)
        let context = try file.make(rows: 2)
        _ = try context.upgrade()
        #expect(try InfoRow.number("versioning", in: context) == .missing)
    }
}
