import Foundation
import SQLCore
import SQLTables
import StoreTestSupport
import Testing

/// The samples of SkipSQL's description that need no table type, one test each, in its order. Those
/// with table types are in `SeedORMSamplesTests`. A comment marks each that had to be changed.
@Suite("The samples of SkipSQL's description: connections")
struct SeedSamplesTests {
    // Changed: the file is in the test's directory; `sqlite` and `ctx` are one name; `try?`
    // before `close()` and `try` before `selectAll`, which throw; `#expect` for `assert`.
    @Test("the connection example")
    func connection() throws {
        let directory = try TemporaryDirectory()
        let dbpath = URL(filePath: directory.path).appendingPathComponent("db.sqlite")

        let ctx = try SQLContext(path: dbpath, flags: [.create, .readWrite])
        defer { try? ctx.close() }

        try ctx.exec(sql: "CREATE TABLE IF NOT EXISTS SOME_TABLE (STRING TEXT)")

        try ctx.exec(
            sql: "INSERT INTO SOME_TABLE (STRING) VALUES (?)", parameters: [SQLValue.text("ABC")])

        let rows: [[SQLValue]] = try ctx.selectAll(sql: "SELECT STRING FROM SOME_TABLE")
        #expect(rows[0][0] == SQLValue.text("ABC"))

        #expect(FileManager.default.fileExists(atPath: directory("db.sqlite")))
    }

    // Changed: `try` and `#expect` as above. The sum is the double that Swift gets too; the sample
    // writes it as 3.3, which is another one.
    @Test("in-memory databases")
    func inMemory() throws {
        let ctx = try SQLContext(path: nil)
        defer { try? ctx.close() }

        let rows: [[SQLValue]] = try ctx.selectAll(sql: "SELECT 1, 1.1+2.2, 'AB'||'C'")

        #expect(rows[0][0] == SQLValue.long(1))
        #expect(rows[0][1] == SQLValue.real(1.1 + 2.2))
        #expect(rows[0][2] == SQLValue.text("ABC"))
    }

    // Unchanged, but for the table that it needs.
    @Test("transactions")
    func transactions() throws {
        let ctx = try SQLContext(path: nil)
        try ctx.exec(sql: "CREATE TABLE TABLE_NAME (NUM INTEGER PRIMARY KEY)")

        try ctx.transaction {
            try ctx.exec(sql: "INSERT INTO TABLE_NAME VALUES(1)")
            try ctx.exec(sql: "INSERT INTO TABLE_NAME VALUES(2)")
        }

        let count = "SELECT count(*) FROM TABLE_NAME"
        #expect(try ctx.selectValue(sql: count) == .long(2))
        #expect(throws: SQLError.self) {
            try ctx.transaction {
                try ctx.exec(sql: "INSERT INTO TABLE_NAME VALUES(3)")
                try ctx.exec(sql: "INSERT INTO TABLE_NAME VALUES(1)")
            }
        }
        #expect(try ctx.selectValue(sql: count) == .long(2))
    }

    // The description below the sample: another mode, or none.
    @Test(
        "the mode of a transaction",
        arguments: [SQLContext.TransactionMode.exclusive, .immediate, .deferred, nil])
    func transactionMode(mode: SQLContext.TransactionMode?) throws {
        let ctx = try SQLContext(path: nil)
        try ctx.transaction(mode) {
            #expect(ctx.isInTransaction == (mode != nil))
        }
    }

    // Unchanged, but for the table that it needs.
    @Test("bound parameters")
    func boundParameters() throws {
        let sqlite = try SQLContext(path: nil)
        try sqlite.exec(sql: "CREATE TABLE TABLE_NAME (NUM INTEGER, STR TEXT)")

        let insert = try sqlite.prepare(sql: "INSERT INTO TABLE_NAME (NUM, STR) VALUES (?, ?)")
        defer { insert.close() }

        // insert 1,000 rows in a single transaction, re-using the insert statement
        try sqlite.transaction {
            for i in 1...1_000 {
                let params: [SQLValue] = [
                    SQLValue.long(Int64(i)),
                    SQLValue.text("Row #\(i)"),
                ]
                try insert.update(parameters: params)
            }
        }

        let rows = try sqlite.selectAll(
            sql: "SELECT count(*), sum(NUM), max(STR) FROM TABLE_NAME")
        #expect(rows == [[.long(1000), .long(500_500), .text("Row #999")]])
    }

    // Changed: the log output is stored, since `durationToNow` and the logger are Skip's.
    @Test("schema migration by user version")
    func schemaMigration() throws {
        let ctx = try SQLContext(path: nil)
        var log: [String] = []

        func migrateSchema(v version: Int64, ddl: String) throws {
            if ctx.userVersion < version {
                let startTime = Date.now
                try ctx.transaction {
                    try ctx.exec(sql: ddl)  // perform the DDL operation
                    // then update the schema version
                    ctx.userVersion = version
                }
                #expect(Date.now.timeIntervalSince(startTime) < 60)
                log.append("updated database schema to \(version)")
            }
        }

        for _ in 1...2 {
            // the initial creation script for a new database
            try migrateSchema(
                v: 1,
                ddl: """
                    CREATE TABLE DATA_ITEM (ID INTEGER PRIMARY KEY AUTOINCREMENT)
                    """)
            // migrate records to have new description column
            try migrateSchema(
                v: 2,
                ddl: """
                    ALTER TABLE DATA_ITEM ADD COLUMN DESCRIPTION TEXT
                    """)
        }

        #expect(log == ["updated database schema to 1", "updated database schema to 2"])
        #expect(ctx.userVersion == 2)
        #expect(try ctx.columns(for: "DATA_ITEM").map(\.name) == ["ID", "DESCRIPTION"])
    }
}
