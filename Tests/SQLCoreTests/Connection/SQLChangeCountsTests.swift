import StoreTestSupport
import Testing
@testable import SQLCore

@Suite("Counts of what makes caches outdated")
struct SQLChangeCountsTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a UNIQUE)")
    }

    /// Whether `body` counts a change of the schema, and a rollback.
    private func counted(_ body: () throws -> Void) rethrows -> [Bool] {
        let before = context.connection.changeCounts
        try body()
        let after = context.connection.changeCounts
        return [after.schema != before.schema, after.rollbacks != before.rollbacks]
    }

    @Test(
        "a statement that changes the schema is counted, however it is run",
        arguments: [
            "CREATE TABLE u (b)", "create index i on t (a)", "ALTER TABLE t ADD COLUMN c",
            "DROP TABLE t", " /* c */ -- d\n ;DROP TABLE t", "ANALYZE", "VACUUM",
            "ATTACH ':memory:' AS other", "CREATE VIRTUAL TABLE f USING fts4",
        ])
    func schema(sql: String) throws {
        let copy = try context.serialize()
        #expect(try counted { try context.exec(sql: sql) } == [true, false])
        let other = try SQLContext()
        try other.deserialize(copy)
        let statement = try other.prepare(sql: sql)
        let before = other.connection.changeCounts
        while try statement.next() {}
        #expect(other.connection.changeCounts.schema == before.schema + 1)
    }

    @Test(
        "other statements are not counted",
        arguments: [
            "INSERT INTO t VALUES (1)", "DELETE FROM t", "SELECT * FROM t", "BEGIN; COMMIT",
            "SAVEPOINT s; RELEASE s", "PRAGMA data_version", "REPLACE INTO t VALUES (1)",
        ])
    func others(sql: String) throws {
        #expect(try counted { try context.exec(sql: sql) } == [false, false])
    }

    @Test("a prepared statement is counted each time it starts")
    func again() throws {
        let create = try context.prepare(sql: "CREATE TABLE IF NOT EXISTS u (b)")
        for _ in 0..<3 {
            #expect(try counted { while try create.next() {} } == [true, false])
        }
    }

    @Test("a rollback is counted; also as a change of the schema, if it may undo one")
    func rollback() throws {
        try context.exec(sql: "BEGIN")
        // The table itself was created since the last rollback.
        #expect(counted { context.rollback() } == [true, true])
        #expect(
            try counted {
                try context.exec(sql: "BEGIN; SAVEPOINT s; DELETE FROM t; ROLLBACK TO s; COMMIT")
            } == [false, true])
        try context.exec(sql: "BEGIN; CREATE TABLE u (b)")
        #expect(counted { context.rollback() } == [true, true])
        #expect(counted { context.rollback() } == [false, false])
        try context.exec(sql: "BEGIN; INSERT INTO t VALUES (1)")
        #expect(counted { context.rollback() } == [false, true])
    }

    @Test("a transaction that SQLite rolls back by itself is counted", arguments: [false, true])
    func automatic(isScript: Bool) throws {
        try context.exec(sql: "INSERT INTO t VALUES (1)")
        let sql = "INSERT OR ROLLBACK INTO t VALUES (1)"
        try context.exec(sql: "BEGIN")
        let statement = try context.prepare(sql: sql)
        let found = counted {
            #expect(throws: SQLError.self) {
                if isScript { try context.exec(sql: sql) } else { _ = try statement.next() }
            }
        }
        #expect(found[1])
        #expect(!context.isInTransaction)
    }

    @Test("a restored copy makes everything outdated")
    func restored() throws {
        let bytes = try context.serialize()
        #expect(try counted { try context.deserialize(bytes) } == [true, true])
        let source = try SQLContext()
        #expect(try counted { try source.backup(to: context) } == [true, true])
    }
}
