import Foundation
import SQLCore
import SQLTables
import StoreTestSupport
import Testing

@Suite("SQLContext: copies")
struct BackupTests {
    private func filled(_ path: String? = nil) throws -> SQLContext {
        let context = try SQLContext(path: path)
        try context.exec(
            sql: """
                CREATE TABLE t (a, b);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                INSERT INTO t SELECT i, zeroblob(1000) FROM n;
                """)
        return context
    }

    @Test("a backup reports its progress, and copies all rows")
    func backup() throws {
        let directory = try TemporaryDirectory()
        let target = try SQLContext(path: directory("copy.db"))
        var steps: [SQLBackupProgress] = []
        let isComplete = try filled().backup(to: target, pages: 20) {
            steps.append($0)
            return true
        }
        #expect(isComplete)
        #expect(steps.count >= 5)
        #expect(steps.map(\.remaining) == steps.map(\.remaining).sorted(by: >))
        #expect(try target.selectValue(sql: "SELECT sum(a) FROM t") == .long(125_250))
    }

    @Test("a cancelled backup leaves the target unchanged")
    func cancelled() throws {
        let target = try SQLContext()
        try target.exec(sql: "CREATE TABLE old (x); INSERT INTO old VALUES (1)")
        #expect(try filled().backup(to: target, pages: 10) { _ in false } == false)
        #expect(try target.selectValue(sql: "SELECT x FROM old") == .long(1))
        struct Mishap: Error {}
        #expect(throws: Mishap.self) {
            try filled().backup(to: target, pages: 10) { _ in throw Mishap() }
        }
        #expect(try target.selectValue(sql: "SELECT x FROM old") == .long(1))
    }

    @Test("a backup into a database where a transaction is open is an error")
    func busyTarget() throws {
        let target = try SQLContext()
        try target.exec(sql: "CREATE TABLE old (x); BEGIN; INSERT INTO old VALUES (1)")
        #expect(throws: SQLError.self) { try filled().backup(to: target) }
        #expect(throws: SQLError.self) { try filled().backup(to: target, database: "missing") }
        #expect(try target.selectValue(sql: "SELECT x FROM old") == .long(1))
    }

    @Test("the target cannot be closed while it is written, nor the content be replaced in use")
    func inUse() throws {
        let target = try SQLContext()
        let error = #expect(throws: SQLError.self) {
            try filled().backup(to: target, pages: 1) { _ in
                try target.close()
                return true
            }
        }
        #expect(error?.code == .busy)
        #expect(try filled().backup(to: target))
        let bytes = try target.serialize()
        let cursor = try target.cursor(sql: "SELECT a FROM t")
        #expect(try cursor.next()?.get() == [.long(1)])
        #expect(throws: SQLError.self) { try target.deserialize(bytes) }
        #expect(try cursor.next()?.get() == [.long(2)])
        cursor.close()
        #expect(throws: SQLError.self) {
            try target.transaction { try target.deserialize(bytes) }
        }
        try target.deserialize(bytes)
        #expect(try target.selectValue(sql: "SELECT sum(a) FROM t") == .long(125_250))
    }

    @Test("a serialized database is the same when it is read back")
    func serialized() throws {
        let bytes = try filled().serialize()
        #expect(bytes.starts(with: Array("SQLite format 3\0".utf8)))
        let copy = try SQLContext()
        try copy.deserialize(bytes)
        #expect(try copy.selectValue(sql: "SELECT sum(a) FROM t") == .long(125_250))
        try copy.exec(sql: "INSERT INTO t VALUES (1, NULL)")
        #expect(try SQLContext().serialize().isEmpty)
    }

    @Test("bytes that are not a database are an error when they are read")
    func garbage() throws {
        let context = try SQLContext()
        let result = Result {
            try context.deserialize(Data(repeating: 7, count: 5000))
            try context.exec(sql: "SELECT * FROM sqlite_master")
        }
        #expect(throws: SQLError.self) { try result.get() }
    }
}

@Suite("SQLContext: several databases")
struct AttachTests {
    @Test("a database that is attached can be used by its name, until it is detached")
    func attach() throws {
        let directory = try TemporaryDirectory()
        let context = try SQLContext()
        try context.attach(path: directory("it's.db"), as: "other one")
        try context.exec(
            sql: #"CREATE TABLE "other one".t (a); INSERT INTO "other one".t VALUES (5)"#)
        #expect(try context.selectValue(sql: "SELECT a FROM t") == .long(5))
        #expect(throws: SQLError.self) {
            try context.transaction {
                try context.exec(sql: "DELETE FROM t WHERE a = 0")
                try context.detach("other one")
            }
        }
        try context.detach("other one")
        #expect(throws: SQLError.self) { try context.exec(sql: "SELECT a FROM t") }
        #expect(throws: SQLError.self) { try context.detach("other one") }
        let file = try SQLContext(path: directory("it's.db"), flags: .readOnly)
        #expect(try file.selectValue(sql: "SELECT a FROM t") == .long(5))
    }
}
