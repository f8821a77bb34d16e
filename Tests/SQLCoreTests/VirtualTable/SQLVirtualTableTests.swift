import SQLCore
import StoreTestSupport
import Testing

@Suite("Virtual tables")
struct SQLVirtualTableTests {
    let context: SQLContext
    let store = NumberStore()

    init() throws {
        context = try SQLContext()
        try register(in: context)
    }

    private func register(in context: SQLContext) throws {
        let store = store
        try context.registerVirtualTable("numbers") { try NumberTable($0, store) }
    }

    private func rows(_ sql: String) throws -> [[SQLValue]] {
        try context.selectAll(sql: sql)
    }

    private func message(_ sql: String) -> String? {
        let error = #expect(throws: SQLError.self) { try context.exec(sql: sql) }
        return error?.message
    }

    @Test("rows are inserted, found, changed and deleted")
    func writing() throws {
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE t USING numbers(fine);
                INSERT INTO t VALUES ('x', 1.5), (x'00', NULL), (3, 'c');
                INSERT INTO t(rowid, a) VALUES (10, 'ten');
                UPDATE t SET b = a || '!' WHERE rowid = 3;
                UPDATE t SET rowid = 20 WHERE a = 'ten';
                DELETE FROM t WHERE rowid = 1
                """)
        #expect(
            try rows("SELECT rowid, a, b FROM t ORDER BY rowid")
                == [
                    [.long(2), .blob([0]), .null], [.long(3), .long(3), .text("3!")],
                    [.long(20), .text("ten"), .null],
                ])
        #expect(try rows("SELECT last_insert_rowid()") == [[.long(10)]])
        #expect(try rows("SELECT a FROM t WHERE rowid = 20") == [[.text("ten")]])
        #expect(try rows("SELECT a FROM t WHERE rowid = 'x'") == [])
        #expect(try rows("SELECT a FROM t WHERE rowid IS NULL") == [])
        #expect(
            try rows("EXPLAIN QUERY PLAN SELECT a FROM t WHERE rowid = 1").first?.last
                == .text("SCAN t VIRTUAL TABLE INDEX 1:by row"))
    }

    @Test("joins, limits, orders and nested searches are those of any table")
    func searching() throws {
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE t USING numbers;
                INSERT INTO t VALUES (1, 2), (2, 3), (3, 1)
                """)
        #expect(
            try rows("SELECT u.a, v.a FROM t u JOIN t v ON v.rowid = u.b ORDER BY u.rowid")
                == [[.long(1), .long(2)], [.long(2), .long(3)], [.long(3), .long(1)]])
        #expect(
            try rows("SELECT a FROM t ORDER BY b LIMIT 1 OFFSET 1") == [[.long(1)]])
        #expect(try rows("SELECT a FROM t LIMIT 0") == [])
        #expect(
            try rows("SELECT a FROM t WHERE rowid IN (SELECT b FROM t WHERE a > 1)")
                == [[.long(1)], [.long(3)]])
        #expect(try rows("SELECT DISTINCT a > 1 FROM t ORDER BY 1") == [[.long(0)], [.long(1)]])
        #expect(
            try rows("SELECT count(*) FROM t a, t b, t c WHERE a.rowid <> b.rowid")
                == [[.long(18)]])
        #expect(store.cursors == 0)
        let statement = try context.prepare(sql: "SELECT a FROM t")
        #expect(try statement.next())
        #expect(store.cursors == 1)
        statement.reset()
        #expect(store.cursors == 0)
    }

    @Test("what is thrown is the statement's error, with its message and its code")
    func errors() throws {
        #expect(message("CREATE VIRTUAL TABLE t USING numbers(bad)") == "t: bad is not fine")
        #expect(store.tables == 0)
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING numbers")
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES ('bad', 1)")
        }
        #expect(error?.code == .full)
        #expect(error?.message == "no space for it")
        #expect(message("INSERT INTO t(rowid) VALUES (1), (1)") == "1 is taken")
        try context.exec(sql: "DELETE FROM t; INSERT INTO t VALUES (1, 'hidden'), ('stop', 0)")
        #expect(message("SELECT b FROM t") == "it is hidden")
        #expect(message("SELECT a FROM t") == "stopped at 2")
        #expect(message("SELECT t.a FROM t, t u") == "stopped at 2")
        #expect(store.cursors == 0)
    }

    @Test("a table is created once, then connected to, and dropped unless it refuses")
    func createAndConnect() throws {
        let directory = try TemporaryDirectory()
        do {
            let context = try SQLContext(path: directory("t.db"))
            try register(in: context)
            try context.exec(sql: "CREATE VIRTUAL TABLE t USING numbers")
            #expect(store.tables == 1)
        }
        #expect(store.tables == 0)
        let context = try SQLContext(path: directory("t.db"))
        let unknown = #expect(throws: SQLError.self) { try context.exec(sql: "SELECT * FROM t") }
        #expect(unknown?.message == "no such module: numbers")
        try register(in: context)
        try context.exec(sql: "INSERT INTO t(a) VALUES ('keep')")
        let kept = #expect(throws: SQLError.self) { try context.exec(sql: "DROP TABLE t") }
        #expect(kept != nil)
        try context.exec(sql: "DELETE FROM t; DROP TABLE t")
        #expect(store.tables == 0)
        #expect(
            store.log.filter { $0 != "begin" && $0 != "commit" && $0 != "rollback" } == [
                "create main.t using numbers", "connect main.t using numbers", "drop",
            ])
    }

    @Test("a table is notified of the beginning and the end of a transaction")
    func transactions() throws {
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING numbers")
        store.log = []
        try context.exec(sql: "BEGIN; INSERT INTO t VALUES (1, 1), (2, 2); COMMIT")
        try context.exec(sql: "BEGIN; INSERT INTO t VALUES (1, 1); ROLLBACK")
        #expect(store.log == ["begin", "commit", "begin", "rollback"])
        for number in 3...1001 { store.rows[Int64(number)] = [.null, .null] }
        #expect(message("INSERT INTO t VALUES (1, 1)") == "too many rows")
        #expect(store.log.suffix(2) == ["begin", "rollback"])
    }

    @Test("a table that implements savepoints rolls back with SQL")
    func savepoints() throws {
        try context.exec(
            sql: """
                CREATE VIRTUAL TABLE t USING numbers;
                BEGIN; INSERT INTO t VALUES (1, 1);
                SAVEPOINT a; INSERT INTO t VALUES (2, 2);
                SAVEPOINT b; INSERT INTO t VALUES (3, 3); RELEASE b;
                ROLLBACK TO a; INSERT INTO t VALUES (4, 4); RELEASE a; COMMIT
                """)
        #expect(try rows("SELECT a FROM t ORDER BY rowid") == [[.long(1)], [.long(4)]])
        #expect(store.log.contains("rollback to a savepoint"))
    }

    @Test("a shadow table is safe from SQL when the connection is defensive")
    func shadow() throws {
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING numbers; CREATE TABLE t_data (a)")
        try context.exec(sql: "INSERT INTO t_data VALUES (1)")
        try context.setDefensive(true)
        #expect(message("INSERT INTO t_data VALUES (1)") == "table t_data may not be modified")
    }

    @Test("a module can be replaced and removed while its tables are in use")
    func replacing() throws {
        try context.exec(sql: "CREATE VIRTUAL TABLE t USING numbers; INSERT INTO t VALUES (1, 2)")
        let statement = try context.prepare(sql: "SELECT a FROM t")
        #expect(try statement.next())
        try register(in: context)
        try context.removeVirtualTable("numbers")
        try context.removeVirtualTable("never")
        #expect(statement.long(at: 0) == 1)
        #expect(try statement.next() == false)
        #expect(message("CREATE VIRTUAL TABLE u USING numbers") == "no such module: numbers")
        #expect(throws: SQLError.self) { try context.removeVirtualTable("a\0") }
    }

    @Test("a declaration that is not SQL is an error")
    func badDeclaration() throws {
        final class Bad: SQLVirtualTable {
            static var kind: SQLVirtualTableKind { .eponymousOnly }
            var declaration: String { "CREATE NONSENSE" }
            func plan(_ plan: SQLIndexPlan) {}
            func makeCursor() -> NumberCursor { NumberCursor(store: NumberStore()) }
        }
        try context.registerVirtualTable("bad") { _ in Bad() }
        #expect(message("SELECT * FROM bad")?.contains("syntax error") == true)
    }

    @Test("a plan that leaves a gap among its arguments is an error, and no harm")
    func badPlan() throws {
        final class Gap: SQLVirtualTable {
            static var kind: SQLVirtualTableKind { .eponymous }
            static var trust: SQLVirtualTableTrust { .directOnly }
            var declaration: String { "CREATE TABLE x(a, b)" }
            func plan(_ plan: SQLIndexPlan) {
                for constraint in plan.constraints { plan.pass(constraint, at: .max) }
            }
            func makeCursor() -> NumberCursor { NumberCursor(store: NumberStore()) }
        }
        try context.registerVirtualTable("gap") { _ in Gap() }
        #expect(message("SELECT * FROM gap WHERE a = 1") == "gap.xBestIndex malfunction")
        #expect(try rows("SELECT * FROM gap") == [])
        #expect(message("CREATE VIEW v AS SELECT * FROM gap; SELECT * FROM v") != nil)
    }
}
