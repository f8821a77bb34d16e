import SQLCore
import SQLTables
import Testing

/// Defects of SkipSQL that no other test covers; docs/sqlcore.md lists all of them.
@Suite("Defects of SkipSQL that SQLCore does not have")
struct SkipSQLDefectTests {
    private struct Sum: SQLCodable, Equatable {
        let a: Int64
        let b: Int64
        static let a = SQLColumn(name: "A", type: .long)
        static let b = SQLColumn(name: "B", type: .long)
        static let table = SQLTable(name: "SUMS", columns: [a, b])

        init(a: Int64, b: Int64) {
            self.a = a
            self.b = b
        }

        init(row: SQLRow, context: SQLContext) throws {
            a = try Self.a.longValueRequired(in: row)
            b = try Self.b.longValueRequired(in: row)
        }

        func encode(row: inout SQLRow) throws {
            row[Self.a] = SQLValue(a)
            row[Self.b] = SQLValue(b)
        }
    }

    @Test("defect 12: foreign keys are enforced once a connection's configuration says so")
    func foreignKeys() throws {
        let script = """
            CREATE TABLE parent (id INTEGER PRIMARY KEY);
            CREATE TABLE child (parent INTEGER REFERENCES parent (id));
            """
        let plain = try SQLContext()
        #expect(!plain.foreignKeysEnabled)
        try plain.exec(sql: script)
        try plain.exec(sql: "INSERT INTO child VALUES (1)")

        let strict = try SQLContext(configuration: .custom { $0.foreignKeysEnabled = true })
        try strict.exec(sql: script)
        let error = #expect(throws: SQLError.self) {
            try strict.exec(sql: "INSERT INTO child VALUES (1)")
        }
        #expect(error?.message == "FOREIGN KEY constraint failed")
    }

    @Test("defect 16: an error has the extended code, the message and the statement")
    func errorHasAll() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a INTEGER NOT NULL)")
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES (?)", parameters: [.null])
        }
        // SQLITE_CONSTRAINT_NOTNULL
        #expect(error?.code == SQLResultCode(rawValue: 1299))
        #expect(error?.code.primary == .constraint)
        #expect(error?.message == "NOT NULL constraint failed: t.a")
        #expect(error?.sql == "INSERT INTO t VALUES (?)")
    }

    @Test("defect 18: generated columns are declared, and views read as types")
    func generatedColumnsAndViews() throws {
        let context = try SQLContext()
        let double = SQLColumn(
            name: "DOUBLE", type: .long, columnDefinition: "INTEGER AS (\"A\" * 2) STORED")
        try context.createTableIfNotExists(SQLTable(name: "T", columns: [Sum.a, double]))
        try context.exec(sql: "CREATE VIEW SUMS AS SELECT A, A + DOUBLE AS B FROM T")
        try context.exec(sql: "INSERT INTO T (A) VALUES (1), (5)")
        #expect(
            try context.fetchAll(Sum.self, orderBy: Sum.a) == [Sum(a: 1, b: 3), Sum(a: 5, b: 15)])
        #expect(try context.columns(for: "T").map(\.isGenerated) == [false, true])
        #expect(try context.tables(types: [.view]).map(\.name) == ["SUMS"])
    }
}
