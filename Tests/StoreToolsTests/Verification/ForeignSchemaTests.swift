import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
import StoreTestSupport
import Testing
@testable import StoreFormat
@testable import StoreTools

/// Objects that another program has added to the tables of the format.
@Suite("A schema of another program", .timeLimit(.minutes(20)))
struct ForeignSchemaTests {
    let fixture: VerificationFixture

    init() throws {
        fixture = try VerificationFixture(indexes: true)
    }

    private static let endless =
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"

    private func save(_ file: DataFile) throws {
        try file.write { transaction in
            _ = try fixture.people.save("d1", in: transaction) { try $0.writeJSON(#"{"n":8}"#) }
        }
    }

    struct Addition: CustomTestStringConvertible, Sendable {
        let sql: String
        let kind: VerificationKind
        let name: String
        var testDescription: String { name }
    }

    static let additions: [Addition] = [
        Addition(
            sql: "CREATE TABLE log (n); CREATE TRIGGER mine AFTER INSERT ON kv_default BEGIN "
                + "INSERT INTO log \(endless) SELECT n FROM r; END",
            kind: .foreignTrigger, name: "the trigger mine of kv_default"),
        Addition(
            sql: "CREATE TRIGGER mine BEFORE UPDATE ON kvmeta BEGIN SELECT 1; END",
            kind: .foreignTrigger, name: "the trigger mine of kvmeta"),
        Addition(
            sql: "CREATE TRIGGER mine AFTER INSERT ON \"\(IndexParts.words)_content\" BEGIN "
                + "SELECT zeroblob(1000000000); END",
            kind: .foreignTrigger, name: "the trigger mine of \(IndexParts.words)_content"),
        // Named as a trigger of an index, and of its form except for a function.
        Addition(
            sql: "CREATE TRIGGER \"\(IndexParts.words)::upd\" AFTER UPDATE ON kv_default BEGIN "
                + "UPDATE \"\(IndexParts.words)\" SET text = hex(zeroblob(500000000)) "
                + "WHERE docid = new.rowid; END",
            kind: .orphanedTrigger, name: "the trigger \(IndexParts.words)::upd of kv_default"),
        Addition(
            sql: "CREATE VIEW mine AS SELECT key FROM kv_default",
            kind: .foreignView, name: "the view mine of kv_default"),
        Addition(
            sql: "CREATE VIEW mine AS SELECT * FROM \"KV_.B\" JOIN kvmeta",
            kind: .foreignView, name: "the view mine of KV_.B"),
        Addition(
            sql: "ALTER TABLE kv_default ADD COLUMN gen AS (zeroblob(1000000000))",
            kind: .foreignTable, name: "the table kv_default has a generated column"),
        Addition(
            sql: "CREATE INDEX mine ON kv_default (length(hex(zeroblob(500000000)))) "
                + "WHERE key = 'nobody'",
            kind: .foreignIndex, name: "the index mine of kv_default calls hex()"),
    ]

    @Test(
        "is reported by verify, and refused by writers that do not trust it", arguments: additions)
    func refused(addition: Addition) throws {
        try fixture.spoil(addition.sql)
        let report = try fixture.verify()
        #expect(report.findings.contains { $0.kind == addition.kind }, "\(report.found)")
        let file = try fixture.engine.open()
        let before = try fixture.documents()
        let error = #expect(throws: StoreError.self) { try save(file) }
        #expect(error?.has(.unsupported) == true)
        #expect(error?.message.contains(addition.name) == true, "\(error?.message ?? "")")
        #expect(throws: StoreError.self) { try file.compact() }
        #expect(throws: StoreError.self) { try file.reindex() }
        #expect(try fixture.documents() == before)
    }

    @Test("a trigger that does not terminate is interrupted and named where it is trusted")
    func endlessTrigger() throws {
        try fixture.spoil(
            "CREATE TABLE log (n); CREATE TRIGGER mine AFTER UPDATE ON kv_default BEGIN "
                + "INSERT INTO log \(Self.endless) SELECT n FROM r; END")
        let file = try fixture.engine.open {
            $0.trustsSchema = true
            $0.mostTriggerOperations = 200_000
        }
        let before = try fixture.documents()
        let error = #expect(throws: StoreError.self) { try save(file) }
        #expect(error?.message.contains("the trigger mine did not end") == true)
        #expect(try fixture.documents() == before)
        try file.write { transaction in
            _ = try fixture.people.save("other", in: transaction) { try $0.writeJSON("{}") }
        }
    }

    @Test("a trigger that terminates runs where it is trusted")
    func trusted() throws {
        try fixture.spoil(
            "CREATE TABLE log (key); CREATE TRIGGER mine AFTER UPDATE ON kv_default BEGIN "
                + "INSERT INTO log VALUES (new.key); END")
        let file = try fixture.engine.open { $0.trustsSchema = true }
        try save(file)
        #expect(try fixture.engine.sqlite().selectValue(sql: "SELECT key FROM log") == .text("d1"))
    }

    @Test(
        "is ignored if it concerns a program's own tables only",
        arguments: [
            "CREATE TABLE own (a, b AS (a + 1), CHECK (a > 0)); "
                + "CREATE VIEW mine AS SELECT a FROM own; "
                + "CREATE TRIGGER t AFTER INSERT ON own BEGIN SELECT 1; END",
            "CREATE INDEX mine ON kv_default (fl_value(body, 'x'), lower(key), flags)",
        ])
    func ownTables(sql: String) throws {
        try fixture.spoil(sql)
        try save(try fixture.engine.open())
    }

    @Test("a CHECK constraint and a generated column do not make reading take gigabytes")
    func computations() throws {
        let context = try fixture.engine.sqlite()
        let sql = try #require(
            try context.selectValue(
                sql: "SELECT sql FROM sqlite_master WHERE name = 'kv_default'")?.textValue)
        let changed = String(sql.dropLast()) + ", CHECK (length(hex(zeroblob(490000000))) > 0))"
        try context.exec(sql: "PRAGMA writable_schema=on")
        try context.exec(
            sql: "UPDATE sqlite_master SET sql = ? WHERE name = 'kv_default'",
            parameters: [.text(changed)])
        try context.exec(sql: "PRAGMA schema_version=999")
        try context.close()
        let file = try fixture.engine.open(.readOnly)
        #expect(try file.integrityCheck().isIntact)
        #expect(try file.verify().found.map(\.kind) == [.foreignTable])
        file.close()
        try fixture.spoil("ALTER TABLE \"kv_.b\" ADD COLUMN gen AS (zeroblob(1000000000))")
        let again = try fixture.engine.open(.readOnly)
        let error = #expect(throws: StoreError.self) {
            try again.read { try $0.sqlRows("SELECT * FROM \"kv_.b\"") { _ in true } }
        }
        #expect(error?.message.contains("longer than the whole file") == true)
    }

    @Test(
        "the triggers of LiteCore's indexes are known in the words of older versions, too",
        arguments: [
            // The form before the current four triggers.
            "\"kv_default::words::upd\" AFTER UPDATE ON kv_default "
                + "BEGIN UPDATE \"kv_default::words\" SET docid = new.rowid, "
                + "text = fl_value(new.body, 'text') WHERE docid = new.rowid; END",
            "\"kv_default:unnest:tags::ins\" AFTER INSERT ON kv_default WHEN (new.flags & 1) = 0 "
                + "BEGIN INSERT INTO \"kv_default:unnest:tags\" (docid, i, body) SELECT new.rowid, "
                + "_each.rowid, _each.value FROM fl_each(new.body, 'tags') AS _each; END",
            "\"kv_default::old::ins\" AFTER INSERT ON \"kv_default\" "
                + "WHEN EXISTS (SELECT 1 FROM fl_each(new.body, 'a') AS _x WHERE _x.value = 1) "
                + "BEGIN INSERT INTO \"kv_default::old\" (docid, \"a.b\") "
                + "VALUES (new.rowid, fl_fts_value(new.body, 'a.b')); END",
        ])
    func olderForms(trigger: String) throws {
        #expect(try isOwn("CREATE TRIGGER " + trigger))
    }

    @Test(
        "other statements under the name of an index's trigger are not",
        arguments: [
            "BEGIN DELETE FROM kv_default; END", "BEGIN SELECT 1; END",
            "BEGIN DELETE FROM \"kv_default::w\" WHERE docid = old.rowid; SELECT 1; END",
            "BEGIN INSERT INTO \"kv_default::w\" (docid) SELECT a.key FROM kv_default AS a; END",
            "BEGIN INSERT INTO \"kv_default::w\" (docid) SELECT 1 "
                + "FROM fl_each(new.body, 'a') AS x, fl_each(new.body, 'a') AS y; END",
            "WHEN (SELECT count(*) FROM kv_default) BEGIN DELETE FROM \"kv_default::w\" "
                + "WHERE docid = old.rowid; END",
            "BEGIN INSERT INTO \"kv_default::w\" (docid) VALUES (randomblob(1000000000)); END",
            "BEGIN INSERT INTO \"kv_default::w\" (docid) VALUES (1), "
                + "((WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n FROM r) "
                + "SELECT n FROM r)); END",
            "BEGIN UPDATE kv_default SET body = NULL WHERE rowid = new.rowid; END",
        ])
    func otherForms(action: String) throws {
        #expect(
            try !isOwn("CREATE TRIGGER \"kv_default::w::ins\" AFTER INSERT ON kv_default " + action)
        )
    }

    private func isOwn(_ sql: String) throws -> Bool {
        let context = try SQLContext()
        try SQLFunctions.register(in: context, sharedKeys: .init())
        let name = sql.split(separator: "\"")[1]
        let object = SchemaObject(
            type: "trigger", name: String(name), table: "kv_default", sql: sql, hasPages: false)
        return try ForeignSchema.find(in: context, path: "", [object]).isEmpty
    }
}
