import SQLCore
import Testing

@Suite("SQLError")
struct SQLErrorTests {
    @Test(
        "a description has the statement without the values in it",
        arguments: [
            (
                "SELECT nothing FROM t WHERE a = 'it''s secret' AND b > 12.5e3",
                "SELECT nothing FROM t WHERE a = ? AND b > ?"
            ),
            (#"SELECT "a 1", [b 2], `c 3`, x1 FROM t"#, #"SELECT "a 1", [b 2], `c 3`, x1 FROM t"#),
            (
                "INSERT INTO t VALUES (x'00ff', 0x1F, NULL, :id)",
                "INSERT INTO t VALUES (?, ?, NULL, :id)"
            ),
            ("SELECT 1 -- secret\n, 2 /* secret */", "SELECT ? \n, ? "),
            ("SELECT 'open", "SELECT ?"),
        ])
    func redaction(sql: String, redacted: String) throws {
        let error = SQLError(code: .error, message: "a mistake", sql: sql, offset: 7)
        #expect(error.description == "a mistake (SQLite 1) at byte 7, in: \(redacted)")
        #expect(error.debugDescription == "a mistake (SQLite 1) at byte 7, in: \(sql)")
    }

    @Test("a mistake in a script has its place in the script")
    func scriptOffset() throws {
        let context = try SQLContext()
        let sql = "CREATE TABLE t (a); INSERT INTO t VALUES (1); SELECT missing FROM t"
        let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        #expect(error?.offset == 53)
        #expect(error?.sql == sql)
        #expect(try context.selectValue(sql: "SELECT a FROM t") == .long(1))
    }

    @Test("a NUL in a statement is an error, not its end")
    func nul() throws {
        let context = try SQLContext()
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "CREATE TABLE t (a);\0 CREATE TABLE u (a)")
        }
        #expect(error?.offset == 19)
        #expect(try context.selectAll(sql: "SELECT * FROM sqlite_master") == [])
    }

    @Test("a file that is no database says so")
    func notADatabase() throws {
        let context = try SQLContext()
        #expect(throws: SQLError.self) { try context.exec(sql: "ATTACH '/dev/null/x' AS a") }
    }

    @Test("the schema changed by another connection is no error")
    func schemaChange() throws {
        let path = "file:schemaChange?mode=memory&cache=shared"
        let flags: SQLOpenFlags = [.readWrite, .create, .uri]
        let first = try SQLContext(path: path, flags: flags)
        let second = try SQLContext(path: path, flags: flags)
        try first.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        #expect(try first.selectAll(sql: "SELECT * FROM t") == [[.long(1)]])
        try second.exec(sql: "ALTER TABLE t ADD COLUMN b DEFAULT 2")
        #expect(try first.selectAll(sql: "SELECT * FROM t") == [[.long(1), .long(2)]])
    }
}
