import DataFileCore
import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing
@testable import StoreTools

@Suite("Fixing the findings of a verification", .serialized)
struct VerificationRepairTests {
    @Test(
        "puts indexes right: nothing is found afterwards, and the documents are as they were",
        arguments: [
            "DROP INDEX byN",
            "DROP INDEX byN; CREATE INDEX byN ON kv_default (fl_value(body, 'text'))",
            "DROP INDEX byTag",
            "DELETE FROM \"\(IndexParts.words)\" WHERE docid = \(IndexParts.row("d1"))",
            "DELETE FROM \"\(IndexParts.words)_segdir\"",
            "DROP TABLE \"\(IndexParts.words)_docsize\"",
            "DROP TRIGGER \"\(IndexParts.words)::ins\"",
            """
            DROP TRIGGER "\(IndexParts.words)::del";
            CREATE TRIGGER "\(IndexParts.words)::del" AFTER DELETE ON kv_default BEGIN SELECT 1; END
            """,
            "DROP TABLE \"\(IndexParts.tags)\"",
            "DROP TABLE \"\(IndexParts.names)\"",
            "DROP TABLE \"\(IndexParts.groups)\"",
            "DELETE FROM \"\(IndexParts.groups)\"",
            "INSERT INTO \"\(IndexParts.tags)\" (docid, i, body) VALUES (4711, 0, 'x')",
            "DELETE FROM \"\(IndexParts.vectors)\"",
            "DROP TABLE \"\(IndexParts.vectors)\"",
            "DROP TABLE \"\(IndexParts.pending)\"",
            "DROP TRIGGER \"\(IndexParts.pending)::preinsert\"",
            """
            DROP TABLE "\(IndexParts.tags)"; CREATE TABLE "\(IndexParts.tags)" (docid, i, body);
            CREATE INDEX byTag ON "\(IndexParts.tags)" (fl_unnested_value(body))
            """,
            "CREATE TABLE \"kv_.b:unnest:gone\" (docid)",
            "CREATE VIRTUAL TABLE \"kv_default::gone\" USING fts4(\"a\", tokenize=unicodesn)",
            """
            CREATE TRIGGER "kv_default::gone::ins" AFTER INSERT ON kv_default BEGIN SELECT 1; END
            """,
            "UPDATE indexes SET keyStore = '.gone' WHERE name = 'byN'",
            "DROP INDEX kv_default_expiration",
            """
            DROP INDEX kv_default_expiration;
            CREATE INDEX kv_default_expiration ON kv_default (flags)
            """,
            "CREATE INDEX kv_default_seqs ON kv_default (sequence)",
        ])
    func indexes(sql: String) throws {
        let fixture = try VerificationFixture(indexes: true)
        let documents = try fixture.documents()
        try fixture.spoil(sql)
        #expect(try fixture.verify().found != [])
        #expect(try fixture.fix() == [])
        #expect(try fixture.documents() == documents)
        // The contents remain correct when triggers update them.
        let file = try fixture.engine.open()
        try file.write { transaction in
            _ = try fixture.people.save("d7", in: transaction) {
                try $0.writeJSON(#"{"n":7,"tags":["x"],"text":"new words"}"#)
            }
            _ = try fixture.people.delete("d1", in: transaction)
        }
        #expect(try file.verify().found == [])
    }

    @Test("fixes results of models and wrong values")
    func answers() throws {
        let predicted = try VerificationFixture(indexes: true)
        try predicted.spoil("DELETE FROM \(try predicted.answers.sqlName)")
        for fixture in [predicted, try VerificationFixture.withWrongValues()] {
            let documents = try fixture.documents()
            #expect(try fixture.fix() == [])
            #expect(try fixture.documents() == documents)
        }
    }

    @Test(
        "puts rows right",
        arguments: [
            "UPDATE kv_default SET flags = flags & ~4 WHERE key = 'd5'",
            "UPDATE kvmeta SET lastSeq = 1 WHERE name = 'default'",
            "DELETE FROM kvmeta WHERE name = '.b'",
            "UPDATE \"kv_.b\" SET flags = 1 WHERE key = 'b1'",
            "UPDATE kv_default SET flags = 1 WHERE key IN ('d1', 'd6')",
            "UPDATE \"kv_del_.b\" SET flags = 0",
        ])
    func rows(sql: String) throws {
        let fixture = try VerificationFixture()
        let documents = try fixture.documents()
        try fixture.spoil(sql)
        #expect(try fixture.verify().found != [])
        #expect(try fixture.fix() == [])
        #expect(try fixture.documents() == documents)
    }

    @Test("a missing tombstone table is created, and the next deletion uses it")
    func tombstones() throws {
        let fixture = try VerificationFixture()
        try fixture.spoil("DROP TABLE \"kv_del_.b\"")
        #expect(try fixture.fix() == [])
        let file = try fixture.engine.open()
        try file.write { _ = try fixture.others.delete("b1", in: $0) }
        #expect(try file.read { try fixture.others.count(in: $0) } == (2, 1))
    }

    @Test("revisions in the wrong column are moved to their column")
    func swapped() throws {
        let fixture = try VerificationFixture(.treesInExtra)
        let documents = try fixture.documents()
        try fixture.spoil(
            "UPDATE kv_del_default SET expiration = extra, extra = NULL WHERE key = 'gone'")
        // The engine does so itself before its first write, so there may be nothing left to do.
        let file = try fixture.engine.open()
        try file.fix(file.verify().findings)
        #expect(try file.verify().found == [])
        #expect(try fixture.documents() == documents)
    }

    @Test("rows with duplicate sequences are moved, too, and a duplicate key remains")
    func conflicts() throws {
        let fixture = try VerificationFixture()
        try fixture.spoil(
            """
            CREATE UNIQUE INDEX "kv_del_.b_seqs" ON "kv_del_.b" (sequence);
            UPDATE "kv_del_.b" SET sequence = 1;
            UPDATE "kv_.b" SET flags = 1 WHERE key = 'b1'
            """)
        let documents = try fixture.documents()
        let found = try fixture.fix()
        #expect(found == [Found(.duplicateSequence, ".b", key: "b1")])
        #expect(try fixture.documents() == documents)

        let twice = try VerificationFixture()
        try twice.spoil(
            """
            INSERT INTO "kv_del_.b" (key, sequence, flags, version)
                SELECT key, 3000, 1, version FROM "kv_.b" WHERE key = 'b1';
            UPDATE "kv_.b" SET flags = 1 WHERE key = 'b1';
            UPDATE kvmeta SET lastSeq = 3000 WHERE name = '.b'
            """)
        let both = try twice.documents()
        let file = try twice.engine.open()
        let repair = try file.fix(file.verify().findings)
        #expect(repair.done == [] && repair.failed == [])
        #expect(try twice.documents() == both)
        #expect(
            try file.verify().found == [
                Found(.misplacedTombstone, ".b", key: "b1"), Found(.duplicateKey, ".b", key: "b1"),
            ])
    }

    @Test("findings that cannot be fixed are skipped, and nothing is changed")
    func unfixable() throws {
        let fixture = try VerificationFixture(indexes: true)
        try fixture.spoil(
            """
            UPDATE kv_default SET version = x'00FF' WHERE key = 'd1';
            DROP TABLE "\(IndexParts.words)"
            """)
        let file = try fixture.engine.open()
        let before = try file.verify()
        #expect(before.findings.allSatisfy { !$0.isFixable })
        #expect(try file.fix(before.findings) == VerificationFix())
        #expect(try file.verify().found == before.found)
    }

    @Test("one failed fix does not prevent the others")
    func failure() throws {
        let fixture = try VerificationFixture()
        try fixture.spoil(
            """
            UPDATE kvmeta SET lastSeq = 1; UPDATE kv_default SET flags = 0 WHERE key = 'd5';
            CREATE TRIGGER mine BEFORE UPDATE ON kv_default BEGIN SELECT RAISE(ABORT, 'never'); END
            """)
        let file = try fixture.engine.open { $0.trustsSchema = true }
        let repair = try file.fix(file.verify().findings)
        #expect(repair.failed.count == 1 && repair.failed[0].contains("never"))
        #expect(repair.done.count == 2)
        #expect(
            try file.verify().found == [
                Found(.attachmentsFlag, "default", key: "d5"), Found(.foreignTrigger, "default"),
            ])
    }

    @Test("a read-only handle fixes nothing")
    func readOnly() throws {
        let fixture = try VerificationFixture()
        try fixture.spoil("UPDATE kvmeta SET lastSeq = 1")
        let file = try fixture.engine.open(.readOnly)
        let report = try file.verify()
        storeError(.notWriteable) { try file.fix(report.findings) }
        #expect(try file.fix([]) == VerificationFix())
    }
}
