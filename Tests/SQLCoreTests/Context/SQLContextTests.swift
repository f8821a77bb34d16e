import SQLCore
import SQLTables
import StoreTestSupport
import Testing

@Suite("SQLContext")
struct SQLContextTests {
    @Test("exec runs all statements of a script")
    func script() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE a (x); CREATE TABLE b (x); INSERT INTO b VALUES (7)")
        #expect(try context.selectValue(sql: "SELECT x FROM b") == .long(7))
        #expect(context.changes == 1)
    }

    @Test("a cursor reads rows on demand, and ends with the first error")
    func cursor() throws {
        let context = try SQLContext()
        let sql = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT CASE i WHEN 4 THEN abs(-9223372036854775808) ELSE i * ? END FROM n
            """
        let cursor = try context.cursor(sql: sql, parameters: [.long(10)])
        #expect(try cursor.load(count: 3) == [[.long(10)], [.long(20)], [.long(30)]])
        #expect(throws: SQLError.self) { try cursor.next()?.get() }
        #expect(cursor.next() == nil)
        try context.close()
        #expect(throws: SQLError.self) { try context.cursor(sql: sql, parameters: []) }
    }

    @Test("the schema can be written as a table only where the connection is not defensive")
    func defensive() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE a (x); PRAGMA writable_schema = ON")
        let sql = "UPDATE sqlite_master SET sql = 'CREATE TABLE a (y)'"
        try context.setDefensive(true)
        #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        try context.setDefensive(false)
        try context.exec(sql: "PRAGMA writable_schema = ON")
        try context.exec(sql: sql)
        try context.exec(sql: "PRAGMA writable_schema = RESET")
        #expect(try context.selectAll(sql: "SELECT y FROM a").isEmpty)
    }

    @Test("a file that cannot be opened is an error with SQLite's code")
    func cannotOpen() throws {
        let directory = try TemporaryDirectory()
        let error = #expect(throws: SQLError.self) {
            try SQLContext(path: directory("missing/file.db"))
        }
        #expect(error?.code == .cannotOpen)
    }

    @Test("closing fails while a statement is open, and can be done twice after that")
    func closing() throws {
        let context = try SQLContext()
        do {
            let statement = try context.prepare(sql: "SELECT 1")
            let error = #expect(throws: SQLError.self) { try context.close() }
            #expect(error?.code == .busy)
            #expect(try statement.next())
        }
        try context.close()
        try context.close()
        #expect(context.isClosed)
        let error = #expect(throws: SQLError.self) { try context.exec(sql: "SELECT 1") }
        #expect(error?.code == .misuse)
    }

    @Test("a statement retains its connection")
    func statementOutlives() throws {
        let statement = try SQLContext().prepare(sql: "SELECT 42")
        #expect(try statement.next())
        #expect(statement.long(at: 0) == 42)
    }

    @Test("a transaction that throws is rolled back and rethrows the error")
    func rollback() throws {
        struct Mishap: Error {}
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a)")
        #expect(throws: Mishap.self) {
            try context.transaction(.immediate) {
                try context.exec(sql: "INSERT INTO t VALUES (1)")
                throw Mishap()
            }
        }
        #expect(!context.isInTransaction)
        #expect(try context.selectValue(sql: "SELECT count(*) FROM t") == .long(0))
        let result = try context.transaction {
            try context.exec(sql: "INSERT INTO t VALUES (1)")
            return "done"
        }
        #expect(result == "done")
        #expect(try context.selectValue(sql: "SELECT count(*) FROM t") == .long(1))
    }

    @Test("the original error is thrown after SQLite has rolled back itself")
    func originalErrorStays() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
        let error = #expect(throws: SQLError.self) {
            try context.transaction {
                try context.exec(sql: "INSERT OR ROLLBACK INTO t VALUES (1)")
            }
        }
        #expect(SQLResultCode.constraint ~= (error?.code ?? .ok))
    }

    @Test("a second writer waits until the timeout, then is busy")
    func busy() throws {
        let directory = try TemporaryDirectory()
        let path = directory("t.db")
        let first = try SQLContext(path: path)
        let second = try SQLContext(path: path)
        try second.setBusyTimeout(milliseconds: 20)
        try first.transaction(.exclusive) {
            let error = #expect(throws: SQLError.self) {
                try second.exec(sql: "CREATE TABLE t (a)")
            }
            #expect(SQLResultCode.busy ~= (error?.code ?? .ok))
        }
    }
}
