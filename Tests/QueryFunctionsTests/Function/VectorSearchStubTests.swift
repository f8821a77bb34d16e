import FleeceLite
import SQLCore
import StoreTestSupport
import Testing
@testable import QueryFunctions

@Suite("A vector index of another program")
struct VectorSearchStubTests {
    /// A collection with an index as LiteCore makes it.
    private static let schema = """
        CREATE TABLE kv_default (key TEXT PRIMARY KEY, sequence INTEGER, flags INTEGER DEFAULT 0,
            version BLOB, body BLOB, expiration INTEGER, extra BLOB);
        CREATE VIRTUAL TABLE "kv_default:vector:by\\Meaning" USING vectorsearch(dimensions=2,\
        metric=euclidean2,clustering=flat8,encoding=none,minToTrain=200);
        CREATE TABLE "kv_default:vector:by\\Meaning_vectors" (docid INTEGER, vector BLOB);
        INSERT INTO "kv_default:vector:by\\Meaning_vectors" VALUES (1, x'0000803F00000040');
        CREATE TRIGGER "kv_default:vector:by\\Meaning::preupdate"
            BEFORE UPDATE OF body ON "kv_default"
            WHEN (fl_vector_to_index(old.body, 'v', 2) NOT NULL)
            BEGIN DELETE FROM "kv_default:vector:by\\Meaning" WHERE docid = old.rowid; END;
        CREATE TRIGGER "kv_default:vector:by\\Meaning::del" AFTER DELETE ON "kv_default"
            WHEN (fl_vector_to_index(old.body, 'v', 2) NOT NULL)
            BEGIN DELETE FROM "kv_default:vector:by\\Meaning" WHERE docid = old.rowid; END;
        CREATE TRIGGER "kv_default:vector:by\\Meaning::ins" AFTER INSERT ON "kv_default"
            WHEN (fl_vector_to_index(new.body, 'v', 2) NOT NULL)
            BEGIN INSERT INTO "kv_default:vector:by\\Meaning" (docid, vector)
                VALUES (new.rowid, fl_vector_to_index(new.body, 'v', 2)); END;
        CREATE TRIGGER "kv_default:vector:by\\Meaning::postupdate"
            AFTER UPDATE OF body ON "kv_default"
            WHEN (fl_vector_to_index(new.body, 'v', 2) NOT NULL)
            BEGIN INSERT INTO "kv_default:vector:by\\Meaning" (docid, vector)
                VALUES (new.rowid, fl_vector_to_index(new.body, 'v', 2)); END;
        """
    private static let table = #""kv_default:vector:by\Meaning""#

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let context = try connection(hasStub: true)
        try context.exec(sql: Self.schema)
        try insert("a", "[1,2]", in: context)
        try context.close()
    }

    private func connection(hasStub: Bool) throws -> SQLContext {
        let context = try SQLContext(path: directory("db.sqlite3"))
        try context.exec(sql: "PRAGMA trusted_schema = OFF")
        let functions = try FunctionContext(sharedKeys: SharedKeys())
        if hasStub {
            try VectorSearchStub.register(in: context, functions)
        } else {
            try VectorFunctions.register(in: context, functions)
        }
        return context
    }

    private func body(_ vector: String) throws -> SQLValue {
        var encoder = FleeceEncoder()
        try encoder.writeJSON(#"{"v":\#(vector)}"#)
        return .blob(try encoder.finish())
    }

    private func insert(_ key: String, _ vector: String, in context: SQLContext) throws {
        try context.exec(
            sql: "INSERT INTO kv_default (key, body) VALUES (?, ?)",
            parameters: [.text(key), body(vector)])
    }

    @Test("Documents can be inserted, changed and deleted, with vectors and without")
    func writing() throws {
        let context = try connection(hasStub: true)
        try insert("b", "[3,4]", in: context)
        #expect(context.lastInsertRowID == 2)
        try insert("c", "null", in: context)
        for vector in ["[5,6]", "null", "\"AACAPwAAAEA=\"", "[1,2,3]"] {
            for key in ["a", "b", "c"] {
                try context.exec(
                    sql: "UPDATE kv_default SET body = ? WHERE key = ?",
                    parameters: [body(vector), .text(key)])
            }
        }
        try context.exec(sql: "DELETE FROM kv_default WHERE key = 'b'")
        #expect(
            try context.selectAll(sql: "SELECT key FROM kv_default ORDER BY key")
                == [[.text("a")], [.text("c")]])
        #expect(try context.selectAll(sql: "SELECT * FROM \(Self.table)").isEmpty)
        #expect(
            try context.selectAll(
                sql: "SELECT docid, vector, bucket, distance FROM \(Self.table) WHERE docid = 1"
            ).isEmpty)
    }

    @Test("Writes can be rolled back, to savepoints too")
    func rollback() throws {
        let context = try connection(hasStub: true)
        try context.exec(sql: "BEGIN")
        try insert("b", "[3,4]", in: context)
        try context.exec(sql: "SAVEPOINT s")
        try insert("c", "[3,4]", in: context)
        try context.exec(sql: "ROLLBACK TO s; RELEASE s; DELETE FROM kv_default WHERE key = 'a'")
        try context.exec(sql: "COMMIT")
        #expect(try context.selectAll(sql: "SELECT key FROM kv_default") == [[.text("b")]])
        try context.exec(sql: "BEGIN; DELETE FROM kv_default; ROLLBACK")
        #expect(try context.selectAll(sql: "SELECT key FROM kv_default") == [[.text("b")]])
    }

    @Test("The file can be checked, compacted and analysed")
    func maintenance() throws {
        let context = try connection(hasStub: true)
        let before = try schema(context)
        try context.exec(sql: "VACUUM; ANALYZE; REINDEX")
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        #expect(try schema(context) == before)
        try insert("b", "[3,4]", in: context)
    }

    @Test("The index can be dropped; the tables of its vectors are unchanged")
    func dropping() throws {
        let context = try connection(hasStub: true)
        for trigger in ["ins", "del", "preupdate", "postupdate"] {
            try context.exec(sql: #"DROP TRIGGER "kv_default:vector:by\Meaning::\#(trigger)""#)
        }
        try context.exec(sql: "DROP TABLE \(Self.table)")
        #expect(
            try context.selectAll(
                sql: "SELECT name FROM sqlite_master WHERE name LIKE '%:vector:%'")
                == [[.text(#"kv_default:vector:by\Meaning_vectors"#)]])
        #expect(
            try context.selectValue(
                sql: #"SELECT hex(vector) FROM "kv_default:vector:by\Meaning_vectors""#)
                == .text("0000803F00000040"))
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("Without the stub nothing can be deleted, changed or dropped")
    func without() throws {
        let context = try connection(hasStub: false)
        for sql in [
            "DELETE FROM kv_default", "UPDATE kv_default SET body = NULL",
            "DROP TABLE \(Self.table)",
        ] {
            let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
            #expect(error?.message == "no such module: vectorsearch")
        }
    }

    private func schema(_ context: SQLContext) throws -> [[SQLValue]] {
        try context.selectAll(
            sql: "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' "
                + "ORDER BY type, name")
    }
}
