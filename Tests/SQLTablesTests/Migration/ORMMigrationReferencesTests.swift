import SQLCore
import Testing
@testable import SQLTables

@Suite("Migrations and references")
struct ORMMigrationReferencesTests {
    private struct Mishap: Error {}

    private let context: SQLContext

    /// A row of C, and two of W, refer to missing rows.
    init() throws {
        context = try SQLContext()
        try context.exec(
            sql: """
                CREATE TABLE P (ID INTEGER PRIMARY KEY);
                CREATE TABLE C (P REFERENCES P);
                CREATE TABLE W (K PRIMARY KEY, P REFERENCES P) WITHOUT ROWID;
                INSERT INTO P VALUES (1); INSERT INTO C VALUES (1), (7);
                INSERT INTO W VALUES ('a', 7), ('b', 8), ('c', 1);
                PRAGMA foreign_keys = ON;
                """)
    }

    private func isEnforced() throws -> Bool {
        try context.selectValue(sql: "PRAGMA foreign_keys") == .long(1)
    }

    @Test("violations that existed before do not prevent a step")
    func old() throws {
        let steps = ["CREATE TABLE X (A)", "DELETE FROM C WHERE P = 7", "INSERT INTO C VALUES (1)"]
        #expect(try context.migrate(migrations: steps) == 3)
        #expect(throws: SQLMigrationError.self) { try context.checkForeignKeys() }
        let named = SQLMigration("y", sql: "CREATE TABLE Y (A)")
        #expect(try context.migrate(named: [named]) == ["y"])
        #expect(try isEnforced())
    }

    @Test("new violations roll back the step, and only they are reported")
    func new() throws {
        let rowID = SQLForeignKeyViolation(table: "C", rowID: 3, parent: "P")
        #expect(throws: SQLMigrationError.foreignKeys([rowID])) {
            try context.migrate(migrations: ["INSERT INTO C VALUES (9)"])
        }
        let without = SQLForeignKeyViolation(table: "W", rowID: nil, parent: "P")
        #expect(throws: SQLMigrationError.foreignKeys([without])) {
            try context.migrate(named: [SQLMigration("w", sql: "INSERT INTO W VALUES ('d', 9)")])
        }
        let error = #expect(throws: SQLMigrationError.self) {
            try context.migrate(migrations: ["DELETE FROM P"])
        }
        guard case .foreignKeys(let found) = error else {
            Issue.record("expected violations, got \(String(describing: error))")
            return
        }
        #expect(found.count == 2)
        #expect(
            Set(found) == [SQLForeignKeyViolation(table: "C", rowID: 1, parent: "P"), without])
        #expect(context.userVersion == 0)
        #expect(try context.selectValue(sql: "SELECT count(*) FROM C") == .long(2))
        #expect(try isEnforced())
    }

    @Test("a step can fix a foreign key that matches no key of its parent")
    func mismatch() throws {
        try context.exec(
            sql: """
                PRAGMA foreign_keys = OFF;
                CREATE TABLE Q (A); CREATE TABLE R (A REFERENCES Q(A)); INSERT INTO R VALUES (1);
                PRAGMA foreign_keys = ON;
                """)
        #expect(throws: SQLError.self) { try context.checkForeignKeys() }
        let steps = ["CREATE TABLE X (A)", "CREATE UNIQUE INDEX Q_A ON Q (A)"]
        #expect(try context.migrate(migrations: steps) == 2)
        // Now it can be checked, and is reported.
        #expect(throws: SQLMigrationError.self) { try context.checkForeignKeys() }
    }

    @Test("a negative version is a separate error")
    func negative() throws {
        try context.exec(sql: "PRAGMA user_version = -3")
        let error = #expect(throws: SQLMigrationError.negativeVersion(-3)) {
            try context.migrate(migrations: ["CREATE TABLE A (X)"])
        }
        #expect(
            error?.description
                == "the database has the user_version -3, which migrations never set: "
                + "check whether it belongs to another program, or correct its version")
        #expect(try !context.tableExists("A"))
    }

    @Test(
        "foreign keys are enforced again whatever the step did",
        arguments: ["throws", "commits", "commits and begins", "is interrupted", "turns them off"])
    func restored(deed: String) throws {
        var statement: SQLStatement?
        let step: (SQLContext) throws -> Void = { context in
            switch deed {
            case "throws": throw Mishap()
            case "commits": try context.exec(sql: "COMMIT")
            case "commits and begins": try context.exec(sql: "COMMIT; BEGIN; CREATE TABLE A (X)")
            case "is interrupted":
                // While a statement runs, every later one is interrupted too.
                statement = try context.prepare(sql: "SELECT * FROM W")
                _ = try statement?.next()
                context.interrupter.interrupt()
            default: try context.exec(sql: "COMMIT; PRAGMA foreign_keys = OFF; BEGIN")
            }
        }
        _ = try? context.migrate(migrations: [step])
        statement?.reset()
        #expect(try isEnforced())
        statement = nil
        context.rollback()
        #expect(throws: SQLError.self) { try context.exec(sql: "INSERT INTO C VALUES (9)") }
    }
}
