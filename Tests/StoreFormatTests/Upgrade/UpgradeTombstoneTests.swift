import EngineTestSupport
import SQLCore
import Testing
import StoreFormat

@Suite("Moving the tombstones of the default collection")
struct UpgradeTombstoneTests {
    /// An upgraded file with `count` rows of which each third is a tombstone.
    private func file(rows count: Int) throws -> SQLContext {
        let file = OldFile(version: 400, tables: ["kv_default": ["extra"], "kv_info": ["extra"]])
        let context = try file.make(rows: 0)
        try context.exec(
            sql: """
                WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT \(count))
                INSERT INTO kv_default (rowid, key, sequence, flags, extra)
                SELECT n, 'k' || n, n, n % 3 = 0, CAST('tree' || n AS BLOB) FROM r
                """)
        _ = try context.upgrade()
        return context
    }

    private func watermark(_ context: SQLContext) throws -> InfoRow.Number {
        try InfoRow.number("maxRowidWithDeletedInDefault", in: context)
    }

    private func step(_ context: SQLContext, rows: Int) throws -> Bool {
        try context.writing { try TombstoneMigration.step(in: $0, rows: rows) }
    }

    private func count(_ table: String, _ context: SQLContext) throws -> SQLValue? {
        try context.selectValue(sql: "SELECT count(*) FROM \(table)")
    }

    @Test("processes the given number of rows per step, and reports the end")
    func steps() throws {
        let context = try file(rows: 30)
        #expect(try watermark(context) == .number(30))
        #expect(try !step(context, rows: 10))
        #expect(try watermark(context) == .number(20))
        #expect(try count("kv_del_default", context) == .long(4))
        #expect(try !step(context, rows: 10))
        #expect(try watermark(context) == .number(10))
        #expect(try step(context, rows: 10))
        #expect(try watermark(context) == .number(0))
        #expect(try TombstoneMigration.isFinished(in: context))
        #expect(try count("kv_default", context) == .long(20))
        let wrong = try context.selectValue(
            sql: """
                SELECT count(*) FROM kv_del_default WHERE flags != 1 OR key != 'k' || sequence
                    OR extra != CAST('tree' || sequence AS BLOB) OR expiration NOT NULL
                """)
        #expect(wrong == .long(0))
        let changes = context.totalChanges
        #expect(try step(context, rows: 10))
        #expect(context.totalChanges == changes, "nothing is written when there is nothing to do")
    }

    @Test("a step that is rolled back is repeated by the next one, on any connection")
    func resuming() throws {
        struct Stop: Error {}
        let context = try file(rows: 30)
        #expect(try !step(context, rows: 10))
        #expect(throws: Stop.self) {
            try context.writing {
                _ = try TombstoneMigration.step(in: $0, rows: 10)
                throw Stop()
            }
        }
        #expect(try watermark(context) == .number(20))
        #expect(try step(context, rows: 100))
        #expect(try count("kv_del_default", context) == .long(10))
    }

    @Test("with more rows than an upgrade checks, the mark is the last row")
    func large() throws {
        let context = try file(rows: 10_001)
        #expect(try watermark(context) == .number(10_001))
        #expect(try !step(context, rows: TombstoneMigration.rowsPerStep))
        #expect(try watermark(context) == .number(1))
        #expect(try step(context, rows: TombstoneMigration.rowsPerStep))
        #expect(try count("kv_del_default", context) == .long(3333))
    }

    @Test("a file without tombstones has nothing to move after its upgrade")
    func none() throws {
        let context = try file(rows: 2)
        #expect(try watermark(context) == .number(0))
    }

    @Test("the mark of an older file is ignored, that of a newer one is used")
    func oldMark() throws {
        for (version, expected) in [(400, UInt64(2)), (500, 0)] {
            let file = OldFile(
                version: version, tables: ["kv_default": ["extra"], "kv_info": ["extra"]])
            let context = try file.make(rows: 0)
            try context.exec(
                sql: """
                    INSERT INTO kv_default (rowid, key, flags) VALUES (1, 'a', 0), (2, 'b', 1);
                    INSERT INTO kv_info (key, body)
                    VALUES ('maxRowidWithDeletedInDefault', zeroblob(8))
                    """)
            _ = try context.upgrade()
            #expect(try watermark(context) == .number(expected))
        }
    }

    @Test(
        "a mark that is missing, damaged or beyond all rows counts as the last row",
        arguments: ["NULL", "x'01'", "x'FFFFFFFFFFFFFFFF'", "x'7FFFFFFFFFFFFFFF'", "'text'"])
    func badMark(body: String) throws {
        let context = try file(rows: 9)
        let key = "maxRowidWithDeletedInDefault"
        try context.exec(sql: "UPDATE kv_info SET body = \(body) WHERE key = '\(key)'")
        if body == "NULL" { try context.exec(sql: "DELETE FROM kv_info WHERE key = '\(key)'") }
        #expect(try !step(context, rows: 4))
        #expect(try watermark(context) == .number(5))
        #expect(try step(context, rows: 5))
        #expect(try count("kv_del_default", context) == .long(3))
    }

    @Test(
        "gaps between rows, and rows below 1, do not add steps",
        .timeLimit(.minutes(20)))
    func gaps() throws {
        let context = try file(rows: 3)
        try context.exec(
            sql: """
                INSERT INTO kv_default (rowid, key, flags) VALUES (9223372036854775807, 'a', 1),
                    (4611686018427387904, 'b', 1), (-9223372036854775808, 'c', 1), (0, 'd', 1);
                DELETE FROM kv_info WHERE key = 'maxRowidWithDeletedInDefault'
                """)
        #expect(try !step(context, rows: 2))
        #expect(try watermark(context) == .number(4_611_686_018_427_387_903))
        #expect(try step(context, rows: 3))
        #expect(try count("kv_del_default", context) == .long(5))
        #expect(try count("kv_default", context) == .long(2))
    }

    @Test("if a key is in both tables, the higher sequence stays")
    func bothTables() throws {
        let context = try file(rows: 9)
        try context.exec(
            sql: """
                INSERT INTO kv_del_default (key, sequence, flags, extra) VALUES
                    ('k3', 100, 1, x'01'), ('k6', 1, 1, x'02'), ('k9', NULL, 1, x'03')
                """)
        #expect(try step(context, rows: 100))
        let rows = try context.selectAll(
            sql: "SELECT key, sequence, extra FROM kv_del_default ORDER BY key")
        #expect(
            rows == [
                [.text("k3"), .long(100), .blob([1])],
                [.text("k6"), .long(6), .blob([UInt8]("tree6".utf8))],
                [.text("k9"), .long(9), .blob([UInt8]("tree9".utf8))],
            ])
        #expect(try count("kv_default", context) == .long(6))
    }

    @Test("swapped rows are fixed, and a duplicate sequence is tolerated")
    func damage() throws {
        let context = try file(rows: 9)
        try context.exec(
            sql: """
                UPDATE kv_default SET expiration = extra, extra = NULL WHERE key = 'k3';
                INSERT INTO kv_del_default (key, sequence, flags) VALUES ('other', 6, 1);
                CREATE UNIQUE INDEX kv_del_default_seqs ON kv_del_default (sequence)
                """)
        #expect(try step(context, rows: 100))
        let rows = try context.selectAll(
            sql: "SELECT key, expiration, extra FROM kv_del_default ORDER BY key")
        #expect(rows.map { $0[0].textValue } == ["k3", "k6", "k9", "other"])
        #expect(rows[0] == [.text("k3"), .null, .blob([UInt8]("tree3".utf8))])
        let outcome = try context.writing {
            try LazyIndex.sequences.create(on: "kv_del_default", in: $0)
        }
        #expect(outcome == .duplicateSequences)
    }

    @Test("is rejected if something would be lost")
    func refused() throws {
        let context = try file(rows: 9)
        try context.exec(sql: "ALTER TABLE kv_default ADD COLUMN future BLOB")
        let unknown = #expect(throws: StoreError.self) { try step(context, rows: 10) }
        #expect(unknown?.has(.unsupported) == true)
        try context.exec(sql: "PRAGMA user_version=502")
        let old = #expect(throws: StoreError.self) { try step(context, rows: 10) }
        #expect(old?.has(.cannotUpgradeDatabase) == true)
        let outside = #expect(throws: StoreError.self) {
            try TombstoneMigration.step(in: context)
        }
        #expect(outside?.has(.notInTransaction) == true)
        #expect(try watermark(context) == .number(9))
    }
}
