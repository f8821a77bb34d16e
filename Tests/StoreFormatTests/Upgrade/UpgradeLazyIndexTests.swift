import DataFileCore
import EngineTestSupport
import SQLCore
import Testing
@testable import StoreFormat

@Suite("Lazy indexes", .timeLimit(.minutes(20)))
struct UpgradeLazyIndexTests {
    let context: SQLContext
    /// A store's table whose name needs quotes.
    let table = #"kv_.s.\Group"#

    init() throws {
        context = try SQLContext()
        try context.exec(sql: "PRAGMA user_version=503; " + SchemaSQL.createMeta)
        try context.writing { try StoreSchema.create(KeyStoreName(".s.Group"), in: $0) }
    }

    /// Rows of which each hundredth is conflicted and each fiftieth has attachments.
    private func fill(_ count: Int) throws {
        try context.exec(
            sql: """
                WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT \(count))
                INSERT INTO \(table.sqlName) (key, sequence, flags, body)
                SELECT printf('k%06d', n * 7919 % 1000003), n,
                    CASE WHEN n % 100 = 0 THEN 2 ELSE 0 END
                        | CASE WHEN n % 50 = 0 THEN 4 ELSE 0 END | (n % 3 << 16),
                    zeroblob(100) FROM r
                """)
    }

    private func create(_ index: LazyIndex, on table: String? = nil) throws -> LazyIndex.Outcome {
        try context.writing { try index.create(on: table ?? self.table, in: $0) }
    }

    private func plan(_ sql: String) throws -> [String] {
        try context.selectAll(sql: "EXPLAIN QUERY PLAN " + sql).compactMap { $0[3].textValue }
    }

    @Test("have LiteCore's names and SQL text, for tables of live records and of tombstones")
    func text() throws {
        let expected: [(LazyIndex, String, String)] = [
            (.sequences, "_seqs", "CREATE UNIQUE INDEX I ON T (sequence)"),
            (.conflicts, "_conflicts", "CREATE INDEX I ON T (flags) WHERE (flags & 2) != 0"),
            (.attachments, "_blobs", "CREATE INDEX I ON T (flags) WHERE (flags & 4) != 0"),
        ]
        for table in [table, #"kv_del_.s.\Group"#] {
            for (index, suffix, sql) in expected {
                #expect(try !index.exists(on: table, in: context))
                #expect(try create(index, on: table) == .created)
                #expect(try create(index, on: table) == .existing)
                #expect(try index.exists(on: table, in: context))
                let text = try context.schemaText(table + suffix)
                let named = sql.split(separator: " ").map {
                    $0 == "I" ? (table + suffix).sqlName : $0 == "T" ? table.sqlName : String($0)
                }
                #expect(text == named.joined(separator: " "))
            }
        }
    }

    @Test("find conflicted rows without reading the others, also by key")
    func conflicts() throws {
        try fill(20_000)
        for (index, rows) in [(LazyIndex.conflicts, 200), (.attachments, 400)] {
            #expect(try create(index) == .created)
            let condition = try #require(index.condition)
            let name = table + (index == .conflicts ? "_conflicts" : "_blobs")
            let scan = "SCAN \(table) USING INDEX \(name)"
            for (more, steps) in [
                ("", [scan]), (" AND (flags & 1) = 0", [scan]),
                (" ORDER BY key", [scan, "USE TEMP B-TREE FOR ORDER BY"]),
                (" AND key >= 'k5' ORDER BY key", [scan, "USE TEMP B-TREE FOR ORDER BY"]),
            ] {
                let tail = "WHERE \(condition)\(more)"
                let sql = "SELECT key, sequence FROM \(index.source(table: table)) \(tail)"
                #expect(try plan(sql) == steps, "\(sql)")
                let all = "SELECT key, sequence FROM \(table.sqlName) NOT INDEXED \(tail)"
                let found = try context.selectAll(sql: sql)
                let expected = try context.selectAll(sql: all)
                #expect(found.count == expected.count)
                if more.contains("ORDER") { #expect(found == expected) }
            }
            let count = try context.selectAll(
                sql: "SELECT key FROM \(index.source(table: table)) WHERE \(condition)")
            #expect(count.count == rows)
        }
        // This is why the index has to be named.
        let unnamed = try plan(
            "SELECT key FROM \(table.sqlName) WHERE (flags & 2) != 0 ORDER BY key")
        #expect(unnamed.first?.contains("sqlite_autoindex") == true)
        // A query that the index cannot answer completely is rejected.
        #expect(throws: SQLError.self) {
            try context.selectAll(
                sql: "SELECT key FROM \(LazyIndex.conflicts.source(table: table))")
        }
    }

    @Test("give the rows by sequence in order")
    func sequences() throws {
        try fill(20_000)
        #expect(try create(.sequences) == .created)
        let sql = """
            SELECT sequence FROM \(LazyIndex.sequences.source(table: table))
            WHERE sequence >= 19990 ORDER BY sequence
            """
        #expect(
            try plan(sql) == ["SEARCH \(table) USING COVERING INDEX \(table)_seqs (sequence>?)"])
        #expect(
            try context.selectAll(sql: sql).map { $0[0] } == (19_990...20_000).map { .long($0) })
    }

    @Test("a duplicate sequence is reported, and no index is created")
    func duplicates() throws {
        try fill(10)
        try context.exec(sql: "UPDATE \(table.sqlName) SET sequence = 4 WHERE sequence = 9")
        try context.writing { context in
            let outcome = try LazyIndex.sequences.create(on: table, in: context)
            #expect(outcome == .duplicateSequences)
            try context.exec(sql: "UPDATE \(table.sqlName) SET flags = 9 WHERE sequence = 1")
        }
        #expect(try !LazyIndex.sequences.exists(on: table, in: context))
        let flags = try context.selectValue(
            sql: "SELECT flags FROM \(table.sqlName) WHERE sequence = 1")
        #expect(flags == .long(9), "the transaction went on")
        try context.exec(sql: "UPDATE \(table.sqlName) SET sequence = NULL WHERE sequence = 4")
        #expect(try create(.sequences) == .created, "many rows may have none")
    }

    @Test("another object with the index's name is reported")
    func taken() throws {
        let other = #"KV_.s.\Group_seqs"#
        try context.exec(sql: "CREATE TABLE \(other.sqlName) (a)")
        #expect(try create(.sequences) == .nameTaken)
    }

    @Test("require a transaction")
    func transaction() throws {
        let error = #expect(throws: StoreError.self) {
            try LazyIndex.sequences.create(on: table, in: context)
        }
        #expect(error?.has(.notInTransaction) == true)
    }
}
