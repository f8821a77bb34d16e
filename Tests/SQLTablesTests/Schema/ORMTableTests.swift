import SQLCore
import SQLTables
import Testing

@Suite("SQLTable's statements")
struct ORMTableTests {
    private func literals(_ expressions: [SQLExpression]) -> [String] {
        expressions.map(\.literal)
    }

    @Test("columns, defaults and indexes are written by the rules")
    func create() {
        #expect(
            literals(DemoTable.table.createTableSQL()) == [
                #"CREATE TABLE "DEMO_TABLE" ("ID" INTEGER PRIMARY KEY AUTOINCREMENT, "#
                    + #""TXT" TEXT UNIQUE NOT NULL, "NUM" REAL, "INT" INTEGER NOT NULL, "#
                    + #""DBL" REAL DEFAULT 3.141592653589793, "BLB" BLOB)"#,
                #"CREATE INDEX "IDX_TXT" ON "DEMO_TABLE" ("TXT")"#,
                #"CREATE INDEX "IDX_DBL" ON "DEMO_TABLE" ("DBL")"#,
            ])
    }

    @Test("the schema precedes the table's and the index's name")
    func schema() {
        let table = SQLTable(
            name: "T",
            columns: [SQLColumn(name: "A", type: .text, index: SQLIndex(name: "I", unique: true))])
        #expect(
            literals(table.createTableSQL(inSchema: "other", ifNotExists: true)) == [
                #"CREATE TABLE IF NOT EXISTS "other"."T" ("A" TEXT)"#,
                #"CREATE UNIQUE INDEX IF NOT EXISTS "other"."I" ON "T" ("A")"#,
            ])
        #expect(table.createTableSQL(withIndexes: false).count == 1)
        #expect(table.dropTableSQL().literal == #"DROP TABLE "T""#)
        #expect(table.dropTableSQL(ifExists: true).literal == #"DROP TABLE IF EXISTS "T""#)
    }

    @Test("several keys, foreign keys and further clauses follow the columns, in this order")
    func clauses() {
        let key = SQLForeignKey(
            table: DemoParent.table, column: DemoParent.id, onDelete: .setNull,
            onUpdate: .cascade)
        let table = SQLTable(
            name: "T",
            columns: [
                SQLColumn(name: "A", type: .long, primaryKey: true),
                SQLColumn(name: "B", type: .text, primaryKey: true),
                SQLColumn(name: "P", type: .long, references: key),
            ])
        #expect(
            literals(table.createTableSQL(additionalClauses: ["UNIQUE(P, B)"])) == [
                #"CREATE TABLE "T" ("A" INTEGER, "B" TEXT, "P" INTEGER, PRIMARY KEY("A", "B"), "#
                    + #"FOREIGN KEY("P") REFERENCES "DEMO_PARENT"("ID") ON DELETE SET NULL "#
                    + #"ON UPDATE CASCADE, UNIQUE(P, B))"#
            ])
    }

    @Test("names and text are quoted, quotes in them doubled")
    func quoting() throws {
        let table = SQLTable(
            name: #"a"b"#,
            columns: [
                SQLColumn(name: "select", type: .text, defaultValue: .text("it's \"so\"")),
                SQLColumn(name: "n", type: .text, defaultValue: .text("a\0b")),
            ])
        let sql = literals(table.createTableSQL())
        #expect(
            sql == [
                #"CREATE TABLE "a""b" ("select" TEXT DEFAULT 'it''s "so"', "#
                    + #""n" TEXT DEFAULT (CAST(x'610062' AS TEXT)))"#
            ])
        let context = try SQLContext()
        try context.exec(sql: sql[0])
        try context.exec(sql: #"INSERT INTO "a""b" DEFAULT VALUES"#)
        #expect(
            try context.selectAll(sql: #"SELECT * FROM "a""b""#)
                == [[.text("it's \"so\""), .text("a\0b")]])
    }

    @Test("defect 15: a text default is a string, not a name")
    func textDefault() throws {
        let table = SQLTable(
            name: "T",
            columns: [
                SQLColumn(name: "A", type: .text),
                SQLColumn(name: "B", type: .text, defaultValue: .text("A")),
            ])
        #expect(
            literals(table.createTableSQL()) == [
                #"CREATE TABLE "T" ("A" TEXT, "B" TEXT DEFAULT 'A')"#
            ])
    }

    @Test(
        "values are written as SQL literals, and read back the same",
        arguments: [
            (SQLValue.long(.min), "-9223372036854775808"), (.real(1e300), "1e+300"),
            (.real(-.infinity), "-9e999"), (.real(.nan), "NULL"), (.text("'"), "''''"),
            (.blob([0, 255]), "x'00FF'"), (.blob([]), "x''"), (.null, "NULL"), (.real(2), "2.0"),
        ])
    func literal(value: SQLValue, text: String) throws {
        #expect(value.literalValue == text)
        let read = try SQLContext().selectValue(sql: "SELECT \(text)")
        #expect(read == (text == "NULL" ? .null : value))
    }

    @Test("a column's own definition replaces everything after its name")
    func definition() {
        let column = SQLColumn(
            name: "A", type: .long, nullable: false, columnDefinition: "TEXT COLLATE NOCASE")
        let table = SQLTable(name: "T", columns: [column])
        #expect(
            literals(table.createTableSQL()) == [#"CREATE TABLE "T" ("A" TEXT COLLATE NOCASE)"#])
    }

    @Test("defect 18: composite, partial and expression indexes, checks and table options")
    func wholeTable() throws {
        let a = SQLColumn(name: "A", type: .text, primaryKey: true)
        let b = SQLColumn(name: "B", type: .long)
        let table = SQLTable(
            name: "T", columns: [a, b],
            indexes: [
                SQLIndex(name: "I1", unique: true, on: a, b),
                SQLIndex(name: "I2", on: SQLExpression("lower(A)"), where: b.greaterThan(.long(3))),
            ],
            checks: [b.notEquals(.long(9))], options: [.strict, .withoutRowID])
        let sql = literals(table.createTableSQL())
        #expect(
            sql == [
                #"CREATE TABLE "T" ("A" TEXT PRIMARY KEY, "B" INTEGER, CHECK ("B" <> 9)) "#
                    + "STRICT, WITHOUT ROWID",
                #"CREATE UNIQUE INDEX "I1" ON "T" ("A", "B")"#,
                #"CREATE INDEX "I2" ON "T" (lower(A)) WHERE "B" > 3"#,
            ])
        let context = try SQLContext()
        for statement in sql { try context.exec(sql: statement) }
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO T VALUES ('x', 9)")
        }
        #expect(error.map { .constraint ~= $0.code } == true)
    }

    @Test("defect 2: a unique index rejects equal values")
    func uniqueIndex() throws {
        let table = SQLTable(
            name: "T",
            columns: [SQLColumn(name: "A", type: .long, index: SQLIndex(name: "I", unique: true))])
        let context = try SQLContext()
        try context.createTableIfNotExists(table)
        try context.exec(sql: "INSERT INTO T VALUES (1)")
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO T VALUES (1)")
        }
        #expect(error.map { .constraint ~= $0.code } == true)
    }

    @Test("equality compares what was declared")
    func equality() {
        let column = SQLColumn(name: "A", type: .long)
        #expect(column == SQLColumn(name: "A", type: .long))
        #expect(column != SQLColumn(name: "A", type: .long, unique: true))
        #expect(SQLTable(name: "T", columns: [column]) == SQLTable(name: "T", columns: [column]))
        #expect(SQLTable(name: "T", columns: [column]) != SQLTable(name: "T", columns: []))
    }
}
