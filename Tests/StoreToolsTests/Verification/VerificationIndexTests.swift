import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
import StoreTestSupport
import Testing
@testable import StoreTools

/// Names of the objects that make up the indexes of `VerificationFixture`.
enum IndexParts {
    static let tags = ArrayTable.name(ofPlain: "kv_default:unnest:tags")
    static let groups = ArrayTable.name(ofPlain: "kv_default:unnest:groups")
    static let names = ArrayTable.name(ofPlain: "kv_default:unnest:groups[].names")
    static let vectors = "kv_default:vectors:near:vectors"
    static let pending = "kv_default:vectors:near:pending"
    static let words = "kv_default::words"

    static func row(_ key: String) -> String {
        "(SELECT rowid FROM kv_default WHERE key = '\(key)')"
    }
}

extension VerificationFixture {
    /// The table of the predictive index.
    var answers: String {
        get throws {
            try engine.rows("SELECT indexTableName FROM indexes WHERE name = 'byEcho'")[0]
        }
    }

    /// A database with the document `d9`, whose values a program without our functions has written
    /// to the index `byN`.
    static func withWrongValues() throws -> VerificationFixture {
        let fixture = try VerificationFixture()
        let file = try fixture.engine.open()
        _ = try file.write {
            try fixture.people.createIndex(
                .value("byN", on: "n, text", where: "n IS NOT MISSING"), in: $0)
        }
        file.close()
        let context = try fixture.engine.sqlite()
        try context.registerRawFunction(
            "fl_value", argumentCount: 2, flags: [.deterministic, .innocuous]
        ) { context, count, arguments in
            SQLRawCall(context, count, arguments).setResult(Int64(7))
        }
        try context.exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body)
                    SELECT 'd9', 500, flags, version, body FROM kv_default WHERE key = 'd1';
                UPDATE kvmeta SET lastSeq = 500 WHERE name = 'default'
                """)
        try context.close()
        return fixture
    }
}

@Suite("Verifying indexes", .serialized)
struct VerificationIndexTests {
    private func check(_ spoiling: Spoiling, isInQuick: Bool) throws {
        let fixture = try VerificationFixture(indexes: true)
        try fixture.spoil(spoiling.sql)
        let report = try fixture.verify()
        #expect(report.found == spoiling.found, "\(report.findings.map(\.message))")
        let quick = try fixture.verify(.init(level: .quick))
        #expect(quick.found == (isInQuick ? spoiling.found : []))
    }

    @Test(
        "finds tables of indexes that do not match the documents",
        arguments: [
            Spoiling(
                "DELETE FROM \"\(IndexParts.words)\" WHERE docid = \(IndexParts.row("d1"))",
                Found(.indexRows, "default", key: "d1", index: "words")),
            Spoiling(
                "UPDATE \"\(IndexParts.words)\" SET text = 'cats' "
                    + "WHERE docid = \(IndexParts.row("d2"))",
                Found(.indexRows, "default", key: "d2", index: "words")),
            Spoiling(
                "INSERT INTO \"\(IndexParts.words)\" (docid, text) VALUES (4711, 'cats')",
                Found(.indexRows, "default", index: "words")),
            Spoiling(
                "DELETE FROM \"\(IndexParts.words)_segdir\"",
                Found(.indexWords, "default", index: "words")),
            Spoiling(
                "DELETE FROM \"\(IndexParts.tags)\" WHERE i = 1 "
                    + "AND docid = \(IndexParts.row("d3"))",
                Found(.indexRows, "default", key: "d3", index: "byTag")),
            Spoiling(
                "UPDATE \"\(IndexParts.tags)\" SET body = 'x' "
                    + "WHERE i = 0 AND docid = \(IndexParts.row("d2"))",
                Found(.indexRows, "default", key: "d2", index: "byTag")),
            Spoiling(
                "INSERT INTO \"\(IndexParts.tags)\" (docid, i, body) VALUES (4711, 0, 'x')",
                Found(.indexRows, "default", index: "byTag")),
            Spoiling(
                """
                DELETE FROM "\(IndexParts.names)" WHERE docid = (SELECT rowid FROM
                    "\(IndexParts.groups)" WHERE docid = \(IndexParts.row("d4")))
                """, Found(.indexRows, "default", key: "d4", index: "byName")),
            Spoiling(
                "DELETE FROM \"\(IndexParts.vectors)\" WHERE docid = \(IndexParts.row("d1"))",
                Found(.indexRows, "default", index: "near")),
            Spoiling(
                "UPDATE \"\(IndexParts.vectors)\" SET vector = zeroblob(length(vector))",
                Found(.indexRows, "default", index: "near")),
            Spoiling(
                "UPDATE \"\(IndexParts.vectors)\" SET vector = x'01'",
                Found(.indexRows, "default", index: "near")),
            Spoiling(
                """
                INSERT INTO "\(IndexParts.vectors)"
                    SELECT 4711, cell, spill, vector FROM "\(IndexParts.vectors)" LIMIT 1
                """, Found(.indexRows, "default", index: "near")),
        ])
    func contents(spoiling: Spoiling) throws {
        try check(spoiling, isInQuick: false)
    }

    @Test("finds results of a model that differ from its current ones")
    func predictions() throws {
        let fixture = try VerificationFixture(indexes: true)
        let table = try fixture.answers
        try fixture.spoil(
            "UPDATE \(table.sqlName) SET body = 'x' WHERE docid = \(IndexParts.row("d1"))")
        #expect(
            try fixture.verify().found
                == [Found(.indexRows, "default", key: "d1", index: "byEcho")])
        try fixture.spoil("DELETE FROM \(table.sqlName)")
        let report = try fixture.verify()
        #expect(report.found == [Found(.indexRows, "default", key: "d1", index: "byEcho")])
        #expect(report.findings[0].message.contains("has 7 missing and 0 unexpected rows"))
        #expect(report.findings[0].message.contains("\"d1\", \"d2\", \"d3\""))
    }

    @Test("finds values of an index that do not match its documents")
    func values() throws {
        let fixture = try VerificationFixture.withWrongValues()
        let report = try fixture.verify()
        #expect(report.found == [Found(.indexRows, "default", key: "d9", index: "byN")])
        #expect(report.findings[0].message.contains("missing from index byN"))
        #expect(report.findings[0].isFixable)
        #expect(try fixture.verify(.init(level: .quick)).found == [])
    }

    @Test(
        "finds parts of indexes that are missing or do something else",
        arguments: [
            Spoiling(
                "DROP INDEX byN", Found(.missingIndexPart, "default", index: "byN")),
            Spoiling(
                "DROP INDEX byN; CREATE INDEX byN ON kv_default (fl_value(body, 'text'))",
                Found(.differentIndexPart, "default", index: "byN")),
            Spoiling(
                "DROP INDEX byTag", Found(.missingIndexPart, "default", index: "byTag")),
            Spoiling(
                "DROP TRIGGER \"\(IndexParts.words)::ins\"",
                Found(.missingTrigger, "default", index: "words")),
            Spoiling(
                """
                DROP TRIGGER "\(IndexParts.words)::del";
                CREATE TRIGGER "\(IndexParts.words)::del" AFTER DELETE ON kv_default
                    BEGIN SELECT 1; END
                """, Found(.differentTrigger, "default", index: "words")),
            Spoiling(
                "DROP TABLE \"\(IndexParts.words)\"",
                Found(.missingIndexPart, "default", index: "words")),
            Spoiling(
                "DROP TABLE \"\(IndexParts.words)_docsize\"",
                Found(.missingIndexPart, "default", index: "words")),
            Spoiling(
                """
                DROP TABLE "\(IndexParts.words)";
                CREATE VIRTUAL TABLE "\(IndexParts.words)" USING fts4("text", tokenize=simple)
                """, Found(.differentIndexPart, "default", index: "words")),
            Spoiling(
                "DROP TABLE \"\(IndexParts.tags)\"",
                Found(.missingIndexPart, "default", index: "byTag"),
                Found(.missingIndexPart, "default", index: "byTag")),
            Spoiling(
                """
                DROP TABLE "\(IndexParts.tags)"; CREATE TABLE "\(IndexParts.tags)" (docid, i, body);
                CREATE INDEX byTag ON "\(IndexParts.tags)" (fl_unnested_value(body))
                """, Found(.differentIndexPart, "default", index: "byTag")),
            Spoiling(
                "UPDATE indexes SET indexTableName = 'kv_default::other' WHERE name = 'words'",
                Found(.differentIndexPart, "default", index: "words")),
        ])
    func parts(spoiling: Spoiling) throws {
        try check(spoiling, isInQuick: true)
    }

    @Test(
        "finds objects that belong to no index",
        arguments: [
            Spoiling(
                "CREATE TABLE \"kv_.b:unnest:gone\" (docid)", Found(.orphanedTable, ".b")),
            Spoiling(
                "CREATE VIRTUAL TABLE \"kv_default::gone\" USING fts4(\"a\", tokenize=unicodesn)",
                Found(.orphanedTable, "default")),
            Spoiling(
                """
                CREATE TRIGGER "kv_default::gone::ins" AFTER INSERT ON kv_default
                    BEGIN SELECT 1; END
                """, Found(.orphanedTrigger, "default")),
            Spoiling(
                "CREATE TRIGGER mine AFTER INSERT ON kv_default BEGIN SELECT 1; END",
                Found(.foreignTrigger, "default")),
            Spoiling(
                "CREATE INDEX mine ON kv_default (flags)",
                Found(.orphanedIndex, "default", index: "mine")),
            Spoiling(
                "UPDATE indexes SET keyStore = '.gone' WHERE name = 'byN'",
                Found(.orphanedRegistration, ".gone", index: "byN")),
            Spoiling(
                """
                INSERT INTO indexes (name, type, keyStore, expression, indexTableName)
                    VALUES ('vec', 4, 'default', '=nx', 'kv_default:vector:vec')
                """, Found(.uncheckedIndex, "default", index: "vec")),
            Spoiling(
                "UPDATE indexes SET expression = NULL WHERE name = 'byN'",
                Found(.uncheckedIndex, "default", index: "byN")),
        ])
    func strays(spoiling: Spoiling) throws {
        try check(spoiling, isInQuick: true)
    }

    @Test("a table of another program with the registry's name is an error")
    func registry() throws {
        let fixture = try VerificationFixture()
        try fixture.spoil("CREATE TABLE indexes (a)")
        #expect(try fixture.verify().found == [Found(.notATable)])
    }

    @Test("an index whose model is not registered is not compared, and that is reported")
    func unregistered() throws {
        let fixture = try VerificationFixture()
        let file = try fixture.engine.open()
        let model = RegisteredModel.squares("verified/unregistered")
        _ = try file.write {
            try fixture.people.createIndex(.ofNumber("i", model.name), in: $0)
        }
        #expect(try file.verify().found == [])
        PredictiveModels.unregister(model.name)
        let report = try file.verify()
        #expect(report.found == [Found(.uncheckedIndex, "default", index: "i")])
        #expect(report.isIntact)
        #expect(report.unchecked.map(\.subject) == ["the index i"])
        #expect(
            report.unchecked.first?.reason
                == "it needs the model \(model.name), which this program does not have")
        withExtendedLifetime(model) {}
    }

    @Test("documents that a model left out are not missing, and a failing model is reported")
    func leftOut() throws {
        let fixture = try VerificationFixture()
        let file = try fixture.engine.open()
        let model = RegisteredModel.squares("verified/lenient")
        try file.write { transaction in
            try fixture.people.createIndex(
                .ofNumber("i", model.name, nil, .leavesOut), in: transaction)
            _ = try fixture.people.save("minus", in: transaction) { try $0.writeJSON(#"{"n":-1}"#) }
        }
        let report = try file.verify()
        #expect(report.found == [] && report.unchecked == [])
        #expect(try file.write { try $0.predictionFailures() } == [])
        // A query still rejects documents for which the model fails.
        #expect(throws: (any Error).self) {
            try file.read {
                try $0.connection().context.selectValue(
                    sql: "SELECT prediction('verified/lenient', dict_of('n', -1))")
            }
        }
        withExtendedLifetime(model) {}
    }

    @Test("findings up to the limit of each kind are listed, and the others counted")
    func limit() throws {
        let fixture = try VerificationFixture()
        try fixture.spoil(
            "UPDATE kv_default SET body = x'6000'; UPDATE \"kv_.b\" SET body = x'6000'")
        let report = try fixture.verify(.init(limit: 2))
        #expect(report.found.count { $0.kind == .damagedBody && $0.store == ".b" } == 2)
        #expect(report.found.count { $0.kind == .damagedBody && $0.store == "default" } == 2)
        #expect(report.errors - report.unlisted <= 5 && report.errors >= 10)
    }
}
