import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing
import DataFileCore
@testable import StoreFormat

@Suite("Upgrading real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenUpgradeTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    typealias Row = [String: SQLValue]

    private func open(_ name: String) throws -> (path: String, context: SQLContext) {
        let path = try GoldenDatabase.named(name).copy(to: directory)
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        try SQLFunctions.register(in: context, sharedKeys: SharedKeys())
        return (path, context)
    }

    private func upgrade(_ context: SQLContext) throws -> SchemaUpgrade.Outcome {
        try context.transaction(.immediate) { try SchemaUpgrade.run(in: context, path: "golden") }
    }

    /// All rows of all tables by key, as values by column; `NULL` values are omitted.
    private func rows(_ context: SQLContext) throws -> [String: [String: Row]] {
        var result: [String: [String: Row]] = [:]
        let names = try context.selectAll(
            sql: "SELECT name FROM sqlite_master WHERE type='table' AND name GLOB 'kv*'")
        for table in names.compactMap({ $0[0].textValue }) {
            let rowid = table == "kvmeta" ? "" : "rowid, "
            let statement = try context.prepare(sql: "SELECT \(rowid)* FROM \(table.sqlName)")
            result[table] = [:]
            while let values = try statement.nextValues() {
                let row = Row(uniqueKeysWithValues: zip(statement.columnNames, values))
                let key = try #require((row["key"] ?? row["name"])?.textValue)
                result[table]?[key] = row.filter { !$0.value.isNull }
            }
        }
        return result
    }

    struct Expectation: CustomTestStringConvertible, Sendable {
        let name: String
        /// What follows `body` in the existing tables.
        let oldColumns: String
        let quote: String
        let tables: [String]
        let newTables: [String]
        let watermark: UInt64
        var testDescription: String { name }
    }

    static let all = [
        Expectation(
            name: "upgrade_2.7", oldColumns: ", extra BLOB, expiration INTEGER", quote: "",
            tables: ["kv_default", "kv_info"], newTables: ["kv_del_default"], watermark: 100),
        Expectation(
            name: "db_3_0_0_names_100_with_deleted",
            oldColumns: ",  extra BLOB, expiration INTEGER", quote: "",
            tables: ["kv_default", "kv_info"], newTables: ["kv_del_default"], watermark: 100),
        Expectation(
            name: "upgrade_3.1_peerCheckpoints",
            oldColumns: ",  extra BLOB, expiration INTEGER", quote: "\"",
            tables: [
                "kv_default", "kv_del_default", "kv_.loopback.test", "kv_del_.loopback.test",
                "kv_info", #"kv_peer\Checkpoints"#,
            ], newTables: [], watermark: 0),
    ]

    @Test("changes no row: every column of every table is unchanged", arguments: all)
    func rows(expectation: Expectation) throws {
        let (_, context) = try open(expectation.name)
        let before = try rows(context)
        let outcome = try upgrade(context)
        #expect(outcome.movedTombstones == 0)
        #expect(outcome.fixedRows == 0)
        var after = try rows(context)
        let mark = after["kv_info"]?.removeValue(forKey: InfoKey.unmovedTombstones)
        #expect(mark?["body"] == .blob(BigEndian.bytes(expectation.watermark)))
        for table in expectation.newTables {
            #expect(after.removeValue(forKey: table) == [:])
        }
        #expect(before.keys.sorted() == (expectation.tables + ["kvmeta"]).sorted())
        #expect(after == before)
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("creates the schema text of version 503", arguments: all)
    func schema(expectation: Expectation) throws {
        let (_, context) = try open(expectation.name)
        let text =
            "SELECT name, sql FROM sqlite_master WHERE sql NOT NULL AND name NOT GLOB 'sqlite*'"
        let before = try context.selectAll(sql: text).compactMap { $0[0].textValue }
        _ = try upgrade(context)
        #expect(try context.pragma("user_version") == .long(503))
        var expected: [String: String] = [
            "kvmeta": "CREATE TABLE kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0, "
                + "purgeCnt INTEGER DEFAULT 0) WITHOUT ROWID"
        ]
        let start =
            "(  key TEXT PRIMARY KEY,  sequence INTEGER,  flags INTEGER DEFAULT 0,  version BLOB,  "
            + "body BLOB"
        for table in expectation.tables {
            let quote = expectation.quote
            expected[table] =
                "CREATE TABLE \(quote)\(table)\(quote) \(start)\(expectation.oldColumns))"
        }
        for table in expectation.newTables {
            expected[table] =
                "CREATE TABLE \"\(table)\" \(start),  expiration INTEGER,  extra BLOB)"
        }
        for table in expectation.tables + expectation.newTables {
            expected[table + "_expiration"] =
                "CREATE INDEX \"\(table)_expiration\" ON \"\(table)\" (expiration) "
                + "WHERE expiration not null"
        }
        if before.contains("kv_.loopback.test_seqs") {
            expected["kv_.loopback.test_seqs"] =
                "CREATE UNIQUE INDEX \"kv_.loopback.test_seqs\" ON \"kv_.loopback.test\" (sequence)"
        }
        let found = try context.selectAll(sql: text).map {
            ($0[0].textValue ?? "", $0[1].textValue ?? "")
        }
        #expect(Dictionary(uniqueKeysWithValues: found) == expected)
    }

    @Test(
        "moves all tombstones with their revision trees, and keeps what LiteCore lists",
        arguments: ["upgrade_2.7", "db_3_0_0_names_100_with_deleted"])
    func tombstones(name: String) throws {
        let (path, context) = try open(name)
        let columns = "SELECT key, sequence, flags, version, body, "
        let old = name == "upgrade_2.7" ? "NULL" : "extra"
        let end = " WHERE (flags & 1) != 0 ORDER BY key"
        let before = try context.selectAll(sql: columns + old + " FROM kv_default" + end)
        let golden = try GoldenDatabase.named(name)
        #expect(before.count == golden.counts["_default"]?.last)
        _ = try upgrade(context)
        var steps = 1
        while try !context.transaction(
            .immediate, { try TombstoneMigration.step(in: context, rows: 30) })
        { steps += 1 }
        #expect(steps == 4)
        let after = try context.selectAll(
            sql: columns + "extra FROM kv_del_default WHERE expiration IS NULL ORDER BY key")
        #expect(after == before)
        if name != "upgrade_2.7" {
            #expect(after.allSatisfy { $0[5].blobValue?.isEmpty == false }, "each has a tree")
        }
        #expect(try context.selectAll(sql: columns + "extra FROM kv_default" + end).isEmpty)
        try compareWithListing(golden, context)
        try context.close()
        try compareWithExport(golden, path)
    }

    /// Ids, sequences and flags, as LiteCore's own tool lists them.
    private func compareWithListing(_ golden: GoldenDatabase, _ context: SQLContext) throws {
        let listing = try golden.expected("txt").components(separatedBy: "$ ls -l --seq (all)\n")
        let expected = try #require(listing.last).split(separator: "\n").dropFirst()
            .map { $0.split(separator: " ") }.map { [$0[0], $0[3], $0[2]].joined(separator: " ") }
        let flags =
            "CASE WHEN flags & 1 THEN 'd' ELSE '-' END || "
            + "CASE WHEN flags & 2 THEN 'c' ELSE '-' END || "
            + "CASE WHEN flags & 4 THEN 'a' ELSE '-' END"
        let rows = try context.selectAll(
            sql:
                "SELECT key || ' ' || sequence || ' ' || \(flags) FROM kv_default ORDER BY sequence"
        )
        #expect(rows.map { $0[0].textValue } == expected)
    }

    /// Documents, as LiteCore's own tool exports them.
    private func compareWithExport(_ golden: GoldenDatabase, _ path: String) throws {
        let file = try DataFile(path: path)
        defer { file.close() }
        var lines: [String] = []
        try file.read { snapshot in
            try DocumentCollection(.default).forEach(in: snapshot) { document in
                var writer = JSONWriter()
                let document = try document.get()
                guard !document.isDeleted else { return }
                try document.write(to: &writer)
                lines.append(writer.text.string)
            }
        }
        #expect(
            lines.sorted()
                == (try golden.expected("ndjson").split(separator: "\n")).map(String.init).sorted())
    }

    @Test("LiteCore's own upgrade loses the trees of a 3.0 file's tombstones; ours restores them")
    func lossAndRepair() throws {
        let (_, context) = try open("db_3_0_0_names_100_with_deleted")
        let trees = "SELECT key, extra FROM kv_default WHERE (flags & 1) != 0 ORDER BY key"
        let before = try context.selectAll(sql: trees)
        #expect(before.count == 22)
        // The steps to 503 as LiteCore performs them, with its copy by column position.
        try context.exec(
            sql: """
                BEGIN;
                CREATE TABLE "kv_del_default" (  key TEXT PRIMARY KEY,  sequence INTEGER,
                    flags INTEGER DEFAULT 0,  version BLOB,  body BLOB,  expiration INTEGER,
                    extra BLOB);
                CREATE INDEX "kv_del_default_expiration" ON "kv_del_default" (expiration)
                    WHERE expiration not null;
                ALTER TABLE kv_default ADD COLUMN expiration INTEGER;
                ALTER TABLE kv_info ADD COLUMN expiration INTEGER;
                INSERT INTO kv_del_default SELECT * FROM kv_default WHERE (flags & 1) != 0;
                DELETE FROM kv_default WHERE (flags & 1) != 0;
                PRAGMA user_version=503;
                COMMIT
                """)
        let tombstones = "SELECT key, extra FROM kv_del_default ORDER BY key"
        let lost = try context.selectAll(sql: tombstones)
        #expect(lost.count == 22)
        #expect(lost.allSatisfy { $0[1].isNull }, "the trees are lost")
        #expect(try upgrade(context) == .init(oldVersion: 503, fixedRows: 22))
        #expect(try context.selectAll(sql: tombstones) == before)
        let expiring = "SELECT count(*) FROM kv_del_default WHERE expiration NOT NULL"
        #expect(try context.selectValue(sql: expiring) == .long(0))
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("keeps the indexes of a file, and their entries in its registry")
    func indexes() throws {
        let (path, context) = try open("upgrade_2.8_index")
        #expect(try upgrade(context) == .init(oldVersion: 302))
        let text = "SELECT sql FROM sqlite_master WHERE name = 'index1'"
        #expect(
            try context.selectValue(sql: text)
                == .text(
                    #"CREATE INDEX "index1" ON "kv_default" "#
                        + "(fl_value(body, 'firstName'), fl_value(body, 'lastName'))"))
        let row =
            "SELECT name, type, keyStore, expression, indexTableName, lastSeq, whereClause "
            + "FROM indexes"
        #expect(
            try context.selectAll(sql: row) == [
                [
                    .text("index1"), .long(0), .text("default"),
                    .text(#"[[".firstName"],[".lastName"]]"#), .null, .null, .null,
                ]
            ])
        #expect(try context.pragma("user_version") == .long(503))
        try context.close()
        let oracle = try IndexOracle(path)
        #expect(oracle.problems == [])
        #expect(oracle.compared == ["values": 2])
    }

    @Test("the indexes that LiteCore created on first use have the same text as ours")
    func lazyIndexes() throws {
        let (_, context) = try open("sample_vectors_503")
        for table in ["kv_default", "kv_del_default"] {
            let text = try context.selectValue(
                sql: "SELECT sql FROM sqlite_master WHERE name = ?",
                parameters: [.text(table + "_seqs")])
            #expect(text == .text(LazyIndex.sequences.sql(table: table)))
            #expect(try LazyIndex.sequences.exists(on: table, in: context))
        }
    }

    @Test("a collection with an index is deleted with it, and nothing else is deleted")
    func deleting() throws {
        let (_, context) = try open("sample_vectors_503")
        let schema = "SELECT name FROM sqlite_master WHERE sql NOT NULL ORDER BY name"
        let before = try context.selectAll(sql: schema).compactMap { $0[0].textValue }
        let store = KeyStoreName(".hr.Employees")
        #expect(try context.transaction(.immediate) { try StoreSchema.delete(store, in: context) })
        let after = try context.selectAll(sql: schema).compactMap { $0[0].textValue }
        #expect(
            Set(before).subtracting(after) == [
                #"kv_.hr.\Employees"#, #"kv_.hr.\Employees_expiration"#,
                #"kv_del_.hr.\Employees"#, #"kv_del_.hr.\Employees_expiration"#, "bySalary",
            ])
        #expect(
            try context.selectAll(sql: "SELECT name, lastSeq FROM kvmeta ORDER BY name")
                == [[.text(".hr.Employees"), .long(12)], [.text("default"), .long(113)]],
            "a new collection of that name continues its sequences")
        let left = "SELECT count(*) FROM indexes WHERE keyStore = '.hr.Employees'"
        #expect(try context.selectValue(sql: left) == .long(0))
        #expect(try context.selectValue(sql: "SELECT count(*) FROM indexes") == .long(5))
    }
}
