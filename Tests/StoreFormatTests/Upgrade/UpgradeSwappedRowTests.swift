import EngineTestSupport
import SQLCore
import Testing
import StoreFormat

/// The effect of LiteCore's upgrade on tombstones in files created by 3.0 and 2.x.
@Suite("Rows with columns swapped by an upgrade by position")
struct UpgradeSwappedRowTests {
    /// LiteCore's own move: by position, between tables whose columns differ in order.
    static let positionalMove = """
        INSERT INTO kv_del_default SELECT * FROM kv_default WHERE (flags & 1) != 0;
        DELETE FROM kv_default WHERE (flags & 1) != 0
        """

    private func moved(by move: (SQLContext) throws -> Void) throws -> [FileRows.Row] {
        let file = OldFile(
            version: 400, tables: ["kv_default": ["extra", "expiration"], "kv_info": ["extra"]])
        let context = try file.make()
        _ = try context.upgrade()
        try move(context)
        return try #require(try FileRows(context).tables["kv_del_default"])
    }

    @Test("moving by position loses trees, moving by name keeps them, and lost ones are found")
    func positional() throws {
        let ours = try moved { context in
            while try !context.writing({ try TombstoneMigration.step(in: $0, rows: 10) }) {}
        }
        let theirs = try moved { try $0.exec(sql: Self.positionalMove) }
        let trees = ours.filter { $0["extra"] != nil }
        #expect(trees.count > 3)
        #expect(ours != theirs)
        #expect(theirs.allSatisfy { $0["extra"]?.blobValue == nil }, "the trees are lost")
        #expect(theirs.count { $0["expiration"]?.blobValue != nil } == trees.count)

        let repaired = try moved { context in
            try context.exec(sql: Self.positionalMove)
            let outcome = try context.upgrade()
            #expect(outcome == .init(oldVersion: 503, fixedRows: trees.count))
            #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
        }
        // A row with an expiration and without a tree cannot be told from a sound one in bounded
        // time.
        let hadTree = { (row: FileRows.Row) in trees.contains { $0["key"] == row["key"] } }
        #expect(repaired.filter(hadTree) == trees)
    }

    @Test("are fixed when upgrading from 500, too, and in live tables")
    func onTheWay() throws {
        let file = OldFile(
            version: 500,
            tables: [
                "kv_default": ["extra", "expiration"], "kv_del_default": ["extra", "expiration"],
                "kv_info": ["extra"],
            ])
        let context = try file.make(rows: 4)
        try context.exec(
            sql: """
                UPDATE kv_del_default SET extra = NULL, expiration = x'0102' WHERE sequence = 1000;
                UPDATE kv_del_default SET extra = 77, expiration = x'03' WHERE sequence = 1001;
                UPDATE kv_del_default SET extra = x'05', expiration = x'06' WHERE sequence = 1002;
                UPDATE kv_default SET extra = NULL, expiration = x'' WHERE sequence = 1;
                """)
        #expect(try context.upgrade().fixedRows == 3)
        let tombstones = try context.selectAll(
            sql: "SELECT expiration, extra FROM kv_del_default ORDER BY sequence LIMIT 3")
        #expect(
            tombstones == [
                [.null, .blob([1, 2])], [.long(77), .blob([3])],
                // Two blobs: it is unknown which is which.
                [.blob([6]), .blob([5])],
            ])
        let live = try context.selectAll(
            sql: "SELECT expiration, extra FROM kv_default ORDER BY sequence LIMIT 1")
        #expect(live == [[.null, .blob([UInt8]())]])
    }

    @Test("are found by the expiration index, without reading the table")
    func bounded() throws {
        let context = try OldFile.all[4].make()
        _ = try context.upgrade()
        let plan = try context.selectAll(
            sql: """
                EXPLAIN QUERY PLAN SELECT 1 FROM kv_del_default INDEXED BY kv_del_default_expiration
                WHERE expiration >= x'' AND typeof(extra) = 'null'
                """)
        #expect(
            plan.map { $0[3] } == [
                .text(
                    "SEARCH kv_del_default USING INDEX kv_del_default_expiration (expiration>?)")
            ])
        try context.exec(
            sql:
                "UPDATE kv_del_default SET expiration = x'01'; DROP INDEX kv_del_default_expiration"
        )
        #expect(try context.upgrade().fixedRows == 0, "a table without the index is left alone")
        try context.exec(sql: "CREATE INDEX kv_del_default_expiration ON kv_del_default (sequence)")
        #expect(try context.upgrade().fixedRows == 0, "and so is one with another index")
    }
}
