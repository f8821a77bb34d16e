import SQLCore
import Testing

@Suite("Authorizers")
struct SQLAuthorizerTests {
    private func reads(_ action: SQLAction) -> Bool {
        switch action {
        case .select, .read, .recursive, .function: true
        case .pragma, .schema, .change: false
        }
    }

    @Test("a refused statement fails while it is compiled, and its action is known")
    func refused() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        try context.authorizing(reads) { authorizer throws -> Void in
            #expect(try context.selectValue(sql: "SELECT a FROM t") == .long(1))
            #expect(throws: SQLError.self) { try context.prepare(sql: "DELETE FROM t") }
            #expect(authorizer.refused?.description == "DELETE")
            // A pragma can take effect while it is compiled.
            #expect(throws: SQLError.self) { try context.prepare(sql: "PRAGMA user_version=7") }
        }
        #expect(context.userVersion == 0)
        try context.exec(sql: "DELETE FROM t")
        #expect(try context.selectValue(sql: "SELECT count(*) FROM t") == .long(0))
    }

    @Test("inner authorizers decide alone, and the outer one afterwards again")
    func nested() throws {
        let context = try SQLContext()
        try context.authorizing({ _ in false }) { _ in
            #expect(throws: SQLError.self) { try context.prepare(sql: "SELECT 1") }
            try context.authorizing({ _ in true }) { _ in
                try context.exec(sql: "CREATE TABLE t (a)")
            }
            #expect(throws: SQLError.self) { try context.prepare(sql: "SELECT 1") }
        }
        #expect(try context.selectValue(sql: "SELECT count(*) FROM t") == .long(0))
    }

    @Test("actions have the names of SQL")
    func names() throws {
        let context = try SQLContext()
        try context.exec(sql: "CREATE TABLE t (a)")
        for (sql, name) in [
            ("SELECT abs(1)", "abs()"), ("PRAGMA Cache_Size", "PRAGMA cache_size"),
            ("PRAGMA cache_size(3)", "PRAGMA cache_size with a value"),
            ("ATTACH ':memory:' AS x", "ATTACH"), ("CREATE TEMP TABLE x (a)", "CREATE TEMP TABLE"),
            ("SELECT a FROM t", "reading t.a"), ("SAVEPOINT s", "SAVEPOINT"),
        ] {
            var seen: [String] = []
            try context.authorizing({
                seen.append($0.description)
                // SQLite reports the creation of a table after the row of the schema for it.
                return $0 == .select || $0.description == "INSERT"
            }) { _ throws -> Void in
                #expect(throws: SQLError.self) { try context.prepare(sql: sql) }
            }
            #expect(seen.contains(name), "\(sql): \(seen)")
        }
    }
}
