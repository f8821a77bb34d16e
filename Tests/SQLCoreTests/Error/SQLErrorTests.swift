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
        let error = SQLError(code: .error, message: "an error", sql: sql, offset: 7)
        #expect(error.description == "an error (SQLite 1) at byte 7, in: \(redacted)")
        #expect(error.unredactedDescription == "an error (SQLite 1) at byte 7, in: \(sql)")
    }

    @Test("no value is printed, however an error is printed")
    func nestedPrinting() throws {
        let context = try SQLContext()
        for (sql, parameters) in [
            ("SELECT json_extract('{}', ?)", [SQLValue.text("sekret")]),
            ("SELECT 'sekret", []), ("SELECT 1 'sekret' 2", []),
            (#"SELECT * FROM t "sekret" 4"#, []),
        ] as [(String, [SQLValue])] {
            let error = #expect(throws: SQLError.self) {
                try context.selectAll(sql: sql, parameters: parameters)
            }
            let failure = try #require(error)
            #expect(failure.unredactedDescription.contains("sekret"))
            var dumped = ""
            dump(failure, to: &dumped)
            let result = Result<Int, SQLError>.failure(failure)
            for text in [
                "\(failure)", "\([failure])", "\(String(describing: error))", "\(result)", dumped,
                String(reflecting: failure),
            ] where !sql.contains(#""sekret""#) {
                #expect(!text.contains("sekret"), "\(text)")
            }
        }
    }

    @Test("an error in a script has the offset of its statement")
    func scriptFailure() throws {
        let context = try SQLContext()
        let sql =
            "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1); /* so */ INSERT INTO t VALUES (1)"
        let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        #expect(error?.offset == 62)
        #expect(error.map { SQLResultCode.constraint ~= $0.code } == true)
    }

    @Test("a syntax error in a script has its offset in the script")
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

    @Test("a file that is not a database is an error")
    func notADatabase() throws {
        let context = try SQLContext()
        #expect(throws: SQLError.self) { try context.exec(sql: "ATTACH '/dev/null/x' AS a") }
    }

    @Test("a schema change by another connection is not an error")
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
