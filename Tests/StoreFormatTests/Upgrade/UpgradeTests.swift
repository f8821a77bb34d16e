import EngineTestSupport
import SQLCore
import SampleData
import Testing
import StoreFormat

@Suite("Upgrading a schema", .timeLimit(.minutes(20)))
struct UpgradeTests {
    @Test("keeps every value of every row, by column name", arguments: OldFile.all)
    func rows(file: OldFile) throws {
        let context = try file.make()
        let before = try FileRows(context)
        let outcome = try context.upgrade()
        var after = try FileRows(context)
        let watermark = try after.removeWatermark()
        #expect(after == before.upgraded(file))
        #expect(outcome.oldVersion == file.version)
        #expect(outcome.fixedRows == 0)
        let moved = try context.selectAll(
            sql: "SELECT max(rowid) FROM kv_default WHERE (flags & 1) != 0")[0][0].longValue
        #expect(watermark == UInt64(moved ?? 0), "no higher than the highest tombstone's row")
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }

    @Test("gives the file the tables, columns and indexes of 503", arguments: OldFile.all)
    func schema(file: OldFile) throws {
        let context = try file.make()
        _ = try context.upgrade()
        #expect(try context.pragma("user_version") == .long(503))
        #expect(try context.columns(ofTable: "kvmeta") == ["name", "lastSeq", "purgeCnt"])
        let catalog = try StoreCatalog(context)
        let tombstones = catalog.stores.filter(\.isCollection).map(\.tombstoneTableName)
        #expect(Set(catalog.tombstoneTables) == Set(tombstones))
        for table in catalog.tables {
            #expect(
                try context.columns(ofTable: table)
                    == ["key", "sequence", "flags", "version", "body", "expiration", "extra"])
            let name = table.sqlName
            let index = (table + "_expiration").sqlName
            #expect(
                try context.schemaText(table + "_expiration")
                    == "CREATE INDEX \(index) ON \(name) (expiration) WHERE expiration not null")
            guard file.tables[table] == nil else { continue }
            #expect(
                try context.schemaText(table)
                    == "CREATE TABLE \(name) (  key TEXT PRIMARY KEY,  sequence INTEGER,  "
                    + "flags INTEGER DEFAULT 0,  version BLOB,  body BLOB,  "
                    + "expiration INTEGER,  extra BLOB)")
        }
        if file.version > 201 {
            #expect(
                try context.columns(ofTable: "indexes") == [
                    "name", "type", "keyStore", "expression", "indexTableName", "lastSeq",
                    "whereClause",
                ])
        }
    }

    @Test("distinguishes stores whose names Swift considers equal")
    func canonicalEquivalence() throws {
        let file = OldFile(version: 400, tables: ["kv_default": ["extra"], "kv_info": ["extra"]])
        let context = try file.make(rows: 0)
        let names = [".\u{e9}", ".e\u{301}"].map { KeyStoreName($0) }
        for (number, name) in names.enumerated() {
            let table = name.tableName.sqlName
            let create = try #require(try context.schemaText("kv_default"))
            try context.exec(
                sql: create.replacing("kv_default", with: table, maxReplacements: 1)
                    .replacing("\"\"", with: "\"")
                    + "; INSERT INTO \(table) (key, flags, extra) VALUES "
                    + "('live', 0, NULL), ('dead\(number)', 1, x'0\(number)')")
        }
        #expect(try context.upgrade().movedTombstones == 2)
        for (number, name) in names.enumerated() {
            let tombstones = try context.prepare(
                sql: "SELECT key, extra FROM \(name.tombstoneTableName.sqlName)")
            #expect(
                try tombstones.nextValues() == [.text("dead\(number)"), .blob([UInt8(number)])])
            #expect(try tombstones.nextValues() == nil)
            let live = try context.prepare(sql: "SELECT key FROM \(name.tableName.sqlName)")
            #expect(try live.nextValues() == [.text("live")])
            #expect(try live.nextValues() == nil)
        }
    }

    @Test("changes nothing the second time", arguments: OldFile.all)
    func again(file: OldFile) throws {
        let context = try file.make(rows: 5)
        _ = try context.upgrade()
        let rows = try FileRows(context)
        let schema = try context.selectAll(sql: "SELECT type, name, sql FROM sqlite_master")
        #expect(try context.upgrade() == SchemaUpgrade.Outcome(oldVersion: 503))
        #expect(try FileRows(context) == rows)
        #expect(
            try context.selectAll(sql: "SELECT type, name, sql FROM sqlite_master") == schema)
    }

    @Test(
        "keeps all rows of random files, and all tombstones once they have moved",
        arguments: 0..<60)
    func random(number: Int) throws {
        let file = Self.randomFile(seed: UInt64(number) + 1)
        let context = try file.make()
        let before = try FileRows(context)
        _ = try context.upgrade()
        var after = try FileRows(context)
        _ = try after.removeWatermark()
        #expect(after == before.upgraded(file), "seed \(number + 1): \(file.testDescription)")

        var steps = 1
        while try !context.writing({ try TombstoneMigration.step(in: $0, rows: 7) }) {
            steps += 1
        }
        var expected = after
        let rows = after.tables["kv_default"] ?? []
        let isTombstone = { (row: FileRows.Row) in ((row["flags"]?.longValue ?? 0) & 1) != 0 }
        expected.tables["kv_default"] = rows.filter { !isTombstone($0) }
        expected.tables["kv_del_default"] = FileRows.sorted(
            (after.tables["kv_del_default"] ?? []) + rows.filter(isTombstone))
        var moved = try FileRows(context)
        #expect(try moved.removeWatermark() == 0)
        #expect(moved == expected, "seed \(number + 1): \(file.testDescription)")
        #expect(steps <= 7)
    }

    private static func randomFile(seed: UInt64) -> OldFile {
        var random = SeededGenerator(seed: seed)
        let version = random.pick([201, 301, 302, 400, 500, 501, 502])
        let orders: [[String]] =
            switch version {
            case ..<400: [[], ["expiration"]]
            case 400: [["extra"], ["extra", "expiration"], ["expiration", "extra"]]
            default: [["extra", "expiration"], ["expiration", "extra"]]
            }
        var tables = ["kv_default": random.pick(orders), "kv_info": random.pick(orders)]
        let names = ["kv_.a", "kv_.\\A", "kv_.s.\"c\"", "kv_raw", "kv_.group"]
        for table in names where random.below(2) == 0 { tables[table] = random.pick(orders) }
        if version >= 500 {
            for table in tables.keys where table == "kv_default" || table.hasPrefix("kv_.") {
                tables["kv_del_" + table.dropFirst(3)] = random.pick(orders)
            }
        }
        return OldFile(version: version, tables: tables, seed: seed)
    }
}
