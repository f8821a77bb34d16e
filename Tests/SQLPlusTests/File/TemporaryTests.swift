import Foundation
import SQLCore
import SQLPlus
import SampleData
import StoreTestSupport
import Testing

/// The rows with SQLite's own VFS are the expected ones.
@Suite("Temporary files are read as they were written")
struct TemporaryTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// 8,000 rows of different lengths, in random order, and one of 300 kB.
    private static let filling = """
        CREATE TABLE t (a INTEGER, b TEXT, c BLOB);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 8000)
        INSERT INTO t SELECT i * 7919 % 8009, printf('%0' || (i * 31 % 400 + 1) || 'd', i % 997),
            zeroblob(i % 5) FROM n;
        INSERT INTO t VALUES (0, printf('%0300000d', 1), NULL)
        """

    /// A plaintext database with SQLite's VFS, and an encrypted one.
    private func contexts() throws -> [SQLContext] {
        let plain = try SQLContext(path: directory("plain.db"))
        let encrypted = try SQLContext(
            path: directory("a.db"), configuration: .plus(key: .random()))
        for context in [plain, encrypted] {
            try context.exec(sql: Self.filling)
            try context.exec(
                sql: """
                    PRAGMA temp_store = file; PRAGMA cache_size = 4; PRAGMA temp.cache_size = 4;
                    PRAGMA cache_spill = 1; PRAGMA threads = 0
                    """)
        }
        return [plain, encrypted]
    }

    @Test(
        "when rows are sorted, grouped, compared and made unique",
        arguments: [
            "SELECT a, b FROM t ORDER BY b DESC, a", "SELECT DISTINCT b || (a % 3) FROM t",
            "SELECT b, count(*), sum(a) FROM t GROUP BY b ORDER BY 2, 1",
            "SELECT a, b FROM t WHERE a % 2 UNION SELECT a, b FROM t WHERE a % 3",
            "SELECT b FROM t EXCEPT SELECT b FROM t WHERE a > 4000",
            "SELECT b FROM t INTERSECT SELECT b || '' FROM t WHERE a > 4000",
            "SELECT a, lag(b, 3) OVER (PARTITION BY a % 7 ORDER BY b, a) FROM t ORDER BY a",
            "SELECT count(*), sum(x.a) FROM t x JOIN (SELECT a, b FROM t ORDER BY b) y USING (b)",
            """
            WITH RECURSIVE r(a, b) AS (SELECT a, b FROM t WHERE a < 3000
                UNION SELECT a + 3000, b || 'x' FROM r WHERE a < 9000)
            SELECT a, b FROM r ORDER BY b, a
            """,
        ])
    func statements(sql: String) throws {
        let found = try contexts().map { try $0.selectAll(sql: sql) }
        #expect(!found[0].isEmpty)
        let isSame = found[0] == found[1]
        #expect(isSame)
    }

    @Test(
        "when a temporary table is written, changed in part, rolled back and emptied",
        arguments: [512, 1024, 4096, 65_536])
    func table(pageSize: Int) throws {
        let steps = [
            """
            CREATE TEMP TABLE u (i INTEGER PRIMARY KEY, a, b); CREATE INDEX temp.x ON u (b, a);
            INSERT INTO u (a, b) SELECT a, b FROM t WHERE a % 20 = 0
            """,
            "UPDATE u SET b = b || a WHERE i % 3 = 0",
            "BEGIN; SAVEPOINT s; UPDATE u SET b = 'x' || b; DELETE FROM u WHERE i % 5 = 0",
            "ROLLBACK TO s; UPDATE u SET a = a + 1 WHERE i % 7 = 0; COMMIT",
            "BEGIN; DELETE FROM u; INSERT INTO u (a, b) SELECT a, b FROM t WHERE a < 200; ROLLBACK",
            "DELETE FROM u WHERE i > 100; VACUUM temp",
            "INSERT INTO u (a, b) SELECT a, b FROM t WHERE a % 20 = 1",
            "UPDATE OR IGNORE u SET i = i + 50 WHERE a > 4000",
        ]
        let contexts = try contexts()
        for context in contexts {
            try context.exec(sql: "PRAGMA temp.page_size = \(pageSize)")
            try context.exec(sql: "PRAGMA temp.auto_vacuum = 1")
        }
        for step in steps {
            for context in contexts { try context.exec(sql: step) }
            for sql in ["SELECT * FROM u ORDER BY i", "SELECT a, b FROM u ORDER BY b, a"] {
                let found = try contexts.map { try $0.selectAll(sql: sql) }
                let isSame = found[0] == found[1]
                #expect(isSame, "\(step): \(sql)")
            }
            let check = try contexts[1].selectValue(sql: "PRAGMA temp.integrity_check")
            #expect(check == .text("ok"), "\(step)")
        }
    }

    @Test("when a statement fails at one of its last rows, and is rolled back")
    func statementJournal() throws {
        let context = try contexts()[1]
        try context.exec(
            sql: """
                CREATE TABLE u (i INTEGER PRIMARY KEY, b NOT NULL); CREATE INDEX x ON u (b);
                INSERT INTO u SELECT a, b FROM t WHERE a % 4 = 0;
                CREATE TEMP TABLE v (i INTEGER PRIMARY KEY, b NOT NULL);
                INSERT INTO v SELECT * FROM u; BEGIN; UPDATE u SET b = b || 'y'
                """)
        let queries = ["u", "v"].map { "SELECT i, b FROM \($0) ORDER BY i" }
        let before = try queries.map { try context.selectAll(sql: $0) }
        for table in ["u", "v"] {
            let error = #expect(throws: SQLError.self) {
                try context.exec(
                    sql: "UPDATE \(table) SET b = CASE WHEN i < 8000 THEN b || 'z' END")
            }
            #expect(error?.code.primary == .constraint)
        }
        let isSame = try queries.map { try context.selectAll(sql: $0) } == before
        #expect(isSame)
        try context.exec(sql: "COMMIT")
        #expect(try context.selectValue(sql: "PRAGMA integrity_check") == .text("ok"))
    }
}
