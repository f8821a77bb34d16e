import Testing

@testable import SQLCore

@Suite("SQLStatement: use and misuse")
struct StatementUseTests {
    let context: SQLContext

    init() throws {
        context = try SQLContext()
        try context.exec(
            sql: "CREATE TABLE t (a INTEGER, b TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    }

    @Test("parameters are bound by name, with or without the prefix")
    func names() throws {
        let statement = try context.prepare(sql: "SELECT :a, @b, $c, :a, ?")
        #expect(statement.parameterCount == 4)
        #expect(statement.parameterNames == [":a", "@b", "$c", nil])
        try statement.bind(.long(1), named: "a")
        try statement.bind(.long(2), named: "@b")
        try statement.bind(.long(3), named: "c")
        try statement.bind(4, at: 4)
        #expect(try statement.nextValues() == [.long(1), .long(2), .long(3), .long(1), .long(4)])
        let error = #expect(throws: SQLError.self) { try statement.bind(.null, named: "d") }
        #expect(error?.message == "there is no parameter d")
        let pairs = try context.prepare(sql: "SELECT :a + :b")
        try pairs.bind(parameters: ["a": .long(1), "b": .long(2)])
        #expect(try pairs.nextValues() == [.long(3)])
        #expect(throws: SQLError.self) { try pairs.bind(parameters: ["a": .long(1)]) }
    }

    @Test("a parameter that is not bound is an error, not NULL", arguments: [1, 3, 64, 70])
    func unbound(count: Int) throws {
        let marks = Array(repeating: "?", count: count).joined(separator: ", ")
        let statement = try context.prepare(sql: "SELECT \(marks)")
        for index in 1..<count { try statement.bind(Int64(index), at: index) }
        let error = #expect(throws: SQLError.self) { try statement.next() }
        #expect(error?.message == "parameter \(count) is not bound")
        #expect(error?.code == .range)
        try statement.bindNull(at: count)
        #expect(try statement.next())
        statement.clearBindings()
        #expect(throws: SQLError.self) { try statement.next() }
    }

    @Test("numbers without a parameter need not be bound")
    func gaps() throws {
        let statement = try context.prepare(sql: "SELECT ?5, ?3, ?80")
        #expect(statement.parameterCount == 80)
        for index in [5, 3] { try statement.bind(Int64(index), at: index) }
        let error = #expect(throws: SQLError.self) { try statement.next() }
        #expect(error?.message == "parameter ?80 is not bound")
        try statement.bind(80, at: 80)
        #expect(try statement.nextValues() == [.long(5), .long(3), .long(80)])
    }

    @Test("an unknown index is an error when bound, and NULL when read")
    func unknownIndex() throws {
        let statement = try context.prepare(sql: "SELECT ?")
        for index in [0, -1, 2, .max] {
            let error = #expect(throws: SQLError.self) { try statement.bind(1, at: index) }
            #expect(error?.message == "there is no parameter \(index), only 1 to 1")
        }
        try statement.bind(1, at: 1)
        #expect(try statement.next())
        for index in [-1, 1, Int.max] {
            #expect(statement.value(at: index) == .null)
            #expect(statement.long(at: index) == 0)
            #expect(statement.real(at: index) == 0)
            #expect(statement.text(at: index) == nil)
            #expect(statement.blob(at: index) == nil)
            #expect(statement.columnName(at: index) == nil)
        }
    }

    @Test("columns are converted as SQLite does")
    func conversion() throws {
        let statement = try context.prepare(sql: "SELECT '12abc', 3.75, x'', NULL, 5")
        #expect(try statement.next())
        #expect(statement.long(at: 0) == 12)
        #expect(statement.long(at: 1) == 3)
        #expect(statement.text(at: 1) == "3.75")
        #expect(statement.blob(at: 2)?.isEmpty == true)
        #expect(statement.blob(at: 3) == nil)
        #expect(statement.real(at: 4) == 5)
        #expect((0..<5).map { statement.type(at: $0) } == [.text, .real, .blob, .null, .long])
    }

    @Test("columns have names and the types that the table declares")
    func columns() throws {
        let statement = try context.prepare(sql: "SELECT a, b AS c, a + 1 FROM t")
        #expect(statement.columnNames == ["a", "c", "a + 1"])
        #expect(statement.columnTypes == ["INTEGER", "TEXT", nil])
        #expect(try statement.next())
        #expect(statement.stringValues() == ["1", "x", "2"])
    }

    @Test("a closed statement throws or is empty")
    func closed() throws {
        let statement = try context.prepare(sql: "SELECT ?, a FROM t")
        statement.close()
        statement.close()
        #expect(statement.isClosed)
        for use in [
            { try statement.bind(1, at: 1) }, { _ = try statement.next() },
            { try statement.bind(parameters: [.null]) }, { try statement.bind(.null, named: "a") },
        ] {
            let error = #expect(throws: SQLError.self) { try use() }
            #expect(error?.message == "the SQLStatement is closed")
        }
        #expect(statement.columnCount == 0)
        #expect(statement.rowValues() == [])
        #expect(statement.value(at: 0) == .null)
        #expect(statement.sql == "")
        #expect(statement.parameterNames == [])
        statement.reset()
        statement.clearBindings()
        try context.withStatement(sql: "SELECT a FROM t") { $0.close() }
        #expect(try context.selectAll(sql: "SELECT a FROM t").count == 2)
        try context.close()
    }

    @Test("two statements that are refused have no effect")
    func refusedHasNoEffect() throws {
        #expect(throws: SQLError.self) {
            try context.prepare(sql: "SELECT 1; PRAGMA foreign_keys = ON")
        }
        #expect(!context.foreignKeysEnabled)
        for sql in [
            "SELECT 1 -- end", "SELECT 1; /* end */ ;\n", "SELECT 1; /* open", "SELECT 1;--",
        ] {
            #expect(throws: Never.self) { try context.prepare(sql: sql) }
        }
        #expect(throws: SQLError.self) { try context.prepare(sql: "SELECT 1; /* x */ SELECT 2") }
        #expect(throws: SQLError.self) { try context.prepare(sql: "-- nothing") }
    }

    @Test("update runs a statement again and again")
    func update() throws {
        let insert = try context.prepare(sql: "INSERT INTO t VALUES (?, ?)")
        for index in 0..<10 { try insert.update(parameters: [.long(Int64(index)), .null]) }
        #expect(try context.selectValue(sql: "SELECT count(*) FROM t") == .long(12))
        #expect(insert.expandedSQL == "INSERT INTO t VALUES (9, NULL)")
        #expect(!insert.isReadOnly)
    }

    @Test("the statements used last are cached, and one in use is not reused")
    func cache() throws {
        context.statementCacheCapacity = 2
        for _ in 0..<2 {
            for sql in ["SELECT 1", "SELECT 2", "SELECT 3"] {
                _ = try context.selectAll(sql: sql)
            }
        }
        #expect(context.cache.count == 2)
        let rows = try context.withStatement(sql: "SELECT a FROM t") { outer in
            var rows: [[SQLValue]] = []
            while try outer.next() {
                rows.append(outer.rowValues() + (try context.selectAll(sql: "SELECT a FROM t")[1]))
            }
            return rows
        }
        #expect(rows == [[.long(1), .long(2)], [.long(2), .long(2)]])
        // An error does not leave a statement open either.
        #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES (?)", parameters: [.null])
        }
        try context.close()
    }

    @Test("a pragma is evaluated each time")
    func pragmas() throws {
        let sql = " Pragma foreign_keys"
        #expect(try context.selectAll(sql: sql) == [[.long(0)]])
        context.foreignKeysEnabled = true
        #expect(try context.selectAll(sql: sql) == [[.long(1)]])
        #expect(try context.setPragma("application_id", to: .long(77)) == nil)
        #expect(try context.pragma("application_id") == .long(77))
        for name in ["", "a; DROP TABLE t", "user_version = 3", "a'b"] {
            #expect(throws: SQLError.self) { try context.pragma(name) }
        }
    }

    @Test("a configuration sets every connection up, and its failure is that of opening")
    func configuration() throws {
        let context = try SQLContext(
            configuration: .custom { try $0.exec(sql: "PRAGMA foreign_keys = ON") })
        #expect(context.foreignKeysEnabled)
        #expect(throws: SQLError.self) {
            try SQLContext(configuration: .custom { try $0.exec(sql: "NONSENSE") })
        }
        #expect(throws: SQLError.self) { try SQLContext(configuration: .custom(vfs: "missing")) }
    }
}
