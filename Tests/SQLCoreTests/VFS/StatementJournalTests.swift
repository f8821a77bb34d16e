import StoreTestSupport
import Testing
@testable import SQLCore

@Suite("The journal of a statement")
struct StatementJournalTests {
    @Test("rolls back a statement that has changed more than fits into memory")
    func undo() throws {
        let directory = try TemporaryDirectory()
        let context = try SQLContext(path: directory("journal.sqlite3"))
        defer { try? context.close() }
        try context.exec(
            sql: """
                CREATE TABLE t (id INTEGER PRIMARY KEY, body BLOB);
                WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
                INSERT INTO t SELECT i, zeroblob(3000) FROM n;
                CREATE TRIGGER e AFTER UPDATE ON t WHEN new.id = 1000
                BEGIN SELECT RAISE(ABORT, 'no'); END
                """)
        #expect(1000 * 3000 > Int(StatementJournal.bytesInMemory))
        try context.transaction {
            #expect(throws: SQLError.self) {
                try context.exec(sql: "UPDATE t SET body = randomblob(3000)")
            }
            let changed = try context.selectValue(
                sql: "SELECT count(*) FROM t WHERE body != zeroblob(3000)")
            #expect(changed?.longValue == 0)
        }
    }

    #if !canImport(Darwin)
        @Test("stays in memory for larger statements than SQLite's own setting allows")
        func setting() throws {
            #expect(StatementJournal.isSetUp)
            #expect((65_537..<131_072).contains(StatementJournal.bytesInMemory))
        }
    #endif
}
