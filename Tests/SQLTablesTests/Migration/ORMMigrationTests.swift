import SQLCore
import SQLTables
import Testing

@Suite("Migrations")
struct ORMMigrationTests {
    private struct Mishap: Error {}

    @Test("steps run once, in their order, and set the version")
    func byVersion() throws {
        let context = try SQLContext()
        var steps = ["CREATE TABLE DATA_ITEM (ID INTEGER PRIMARY KEY AUTOINCREMENT)"]
        #expect(try context.migrate(migrations: steps) == 1)
        steps.append("ALTER TABLE DATA_ITEM ADD COLUMN DESCRIPTION TEXT; CREATE TABLE U (X)")
        #expect(try context.migrate(migrations: steps) == 1)
        #expect(try context.migrate(migrations: steps) == 0)
        #expect(context.userVersion == 2)
        #expect(try context.columns(for: "DATA_ITEM").map(\.name) == ["ID", "DESCRIPTION"])
        #expect(try context.tableExists("u"))
    }

    @Test("a step that throws is rolled back, and the version is that of the previous step")
    func failure() throws {
        let context = try SQLContext()
        #expect(throws: Mishap.self) {
            try context.migrate(migrations: [
                { try $0.exec(sql: "CREATE TABLE A (X)") },
                {
                    try $0.exec(sql: "CREATE TABLE B (X)")
                    throw Mishap()
                },
            ])
        }
        #expect(context.userVersion == 1)
        #expect(try context.tables().map(\.name) == ["A"])
    }

    @Test("defect 11: a file of a newer program is an error")
    func newer() throws {
        let context = try SQLContext()
        try context.exec(sql: "PRAGMA user_version = 5")
        #expect(throws: SQLMigrationError.newerFile(version: 5, known: 1)) {
            try context.migrate(migrations: ["CREATE TABLE A (X)"])
        }
        #expect(try context.tables().isEmpty)
    }

    @Test("a step may rebuild a table without deleting the rows that refer to it")
    func rebuild() throws {
        let context = try SQLContext()
        try context.exec(
            sql: """
                PRAGMA foreign_keys = ON;
                CREATE TABLE P (ID INTEGER PRIMARY KEY);
                CREATE TABLE C (P REFERENCES P ON DELETE CASCADE);
                INSERT INTO P VALUES (1); INSERT INTO C VALUES (1);
                """)
        let rebuild = """
            CREATE TABLE P2 (ID INTEGER PRIMARY KEY, NAME TEXT);
            INSERT INTO P2 (ID) SELECT ID FROM P;
            DROP TABLE P; ALTER TABLE P2 RENAME TO P
            """
        try context.migrate(migrations: [rebuild])
        #expect(try context.selectValue(sql: "SELECT count(*) FROM C") == .long(1))
        #expect(try context.selectValue(sql: "PRAGMA foreign_keys") == .long(1))

        let error = #expect(throws: SQLMigrationError.self) {
            try context.migrate(migrations: [rebuild, "DELETE FROM P"])
        }
        guard case .foreignKeys(let found) = error else {
            Issue.record("expected violations, got \(String(describing: error))")
            return
        }
        #expect(found.map(\.table) == ["C"])
        #expect(found.map(\.parent) == ["P"])
        #expect(found.map(\.rowID) == [1])
        #expect(try context.selectValue(sql: "SELECT count(*) FROM P") == .long(1))
        #expect(context.userVersion == 1)
    }

    @Test("migrations do not run inside a transaction")
    func insideTransaction() throws {
        let context = try SQLContext()
        try context.transaction {
            _ = #expect(throws: SQLMigrationError.insideTransaction) {
                try context.migrate(migrations: ["CREATE TABLE A (X)"])
            }
        }
    }

    @Test("named steps run once each, including one that was inserted later")
    func named() throws {
        let context = try SQLContext()
        let one = SQLMigration("initial schema", sql: "CREATE TABLE A (X)")
        let two = SQLMigration("add b") { try $0.exec(sql: "CREATE TABLE B (X)") }
        let between = SQLMigration("add y", sql: "ALTER TABLE A ADD COLUMN Y")
        #expect(try context.migrate(named: [one, two]) == ["initial schema", "add b"])
        #expect(try context.migrate(named: [one, between, two]) == ["add y"])
        #expect(try context.migrate(named: [one, between, two]) == [])
        #expect(try context.appliedMigrations() == ["initial schema", "add b", "add y"])
        #expect(throws: SQLMigrationError.duplicateName("add b")) {
            try context.migrate(named: [two, two])
        }
    }

    @Test("a file with unknown steps is rejected, used or erased, depending on the policy")
    func downgrade() throws {
        let context = try SQLContext()
        let one = SQLMigration("one", sql: "CREATE TABLE A (X)")
        let two = SQLMigration("two", sql: "CREATE TABLE B (X)")
        try context.migrate(named: [one, two])
        #expect(throws: SQLMigrationError.unknownMigrations(["two"])) {
            try context.migrate(named: [one])
        }
        #expect(try context.migrate(named: [one], downgrade: .ignore) == [])
        #expect(try context.tableExists("B"))
        #expect(try context.migrate(named: [one], downgrade: .erase) == ["one"])
        #expect(try !context.tableExists("B"))
        #expect(try context.appliedMigrations() == ["one"])
    }

    @Test("defect 13: an added column keeps its foreign key, and is unique through an index")
    func addColumn() throws {
        let context = try SQLContext()
        try context.exec(sql: "PRAGMA foreign_keys = ON")
        try context.createTableIfNotExists(DemoParent.self)
        let bare = SQLTable(name: "T", columns: [SQLColumn(name: "A", type: .long)])
        try context.createTableIfNotExists(bare)
        let column = SQLColumn(
            name: "P", type: .long, unique: true,
            references: SQLForeignKey(
                table: DemoParent.table, column: DemoParent.id, onDelete: .cascade))
        #expect(
            bare.addColumnSQL(column).map(\.literal) == [
                #"ALTER TABLE "T" ADD COLUMN "P" INTEGER REFERENCES "DEMO_PARENT"("ID") "#
                    + "ON DELETE CASCADE",
                #"CREATE UNIQUE INDEX "T_P_unique" ON "T" ("P")"#,
            ])
        #expect(try context.addColumnIfNotExists(column, to: bare))
        #expect(try !context.addColumnIfNotExists(column, to: bare))
        try context.insert(DemoParent(id: 1, parentInfo: nil))
        try context.exec(sql: "INSERT INTO T VALUES (1, 1)")
        #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO T VALUES (2, 1)") }
        #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO T VALUES (2, 7)") }
        try context.deleteAll(DemoParent.self)
        #expect(try context.selectValue(sql: "SELECT count(*) FROM T") == .long(0))
        for statement in bare.dropColumnSQL(column) { try context.exec(statement) }
        #expect(try context.columns(for: "T").map(\.name) == ["A"])
    }

    @Test("the schema is described correctly")
    func inspection() throws {
        let context = try SQLContext()
        try context.exec(
            sql: """
                CREATE TABLE T (A INTEGER PRIMARY KEY, B TEXT NOT NULL DEFAULT 'x', C AS (A + 1));
                CREATE VIEW V AS SELECT 1; CREATE INDEX I ON T (B); CREATE TABLE SQLITEX (X);
                """)
        let columns = try context.columns(for: "T")
        #expect(columns.map(\.name) == ["A", "B", "C"])
        #expect(columns.map(\.type) == ["INTEGER", "TEXT", ""])
        #expect(columns.map(\.isNotNull) == [false, true, false])
        #expect(columns.map(\.defaultSQL) == [nil, "'x'", nil])
        #expect(columns.map(\.primaryKeyPosition) == [1, 0, 0])
        #expect(columns.map(\.isGenerated) == [false, false, true])
        #expect(try context.columns(for: "nowhere").isEmpty)
        #expect(try context.tables().map(\.name) == ["SQLITEX", "T"])
        #expect(try context.tables(types: [.view, .index]).map(\.name) == ["I", "V"])
        #expect(try context.tableExists("t", inSchema: "main"))
        #expect(try !context.tableExists("V"))
    }
}
