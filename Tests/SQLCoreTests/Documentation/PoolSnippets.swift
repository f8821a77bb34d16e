import Foundation
import SQLCore
import StoreTestSupport
import Testing

/// The code of the articles in SQLCore.docc about files that live long: migrations and pools.
@Suite("Documentation: migrations and pools")
struct PoolSnippets {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("Migrations")
    func migrations() throws {
        let context = try SQLContext()
        // snippet begins: Migrations
        let steps = [
            "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)",
            "ALTER TABLE item ADD COLUMN description TEXT",
        ]
        let done = try context.migrate(migrations: steps)
        // snippet ends
        #expect(done == 2)
        #expect(context.userVersion == 2)
        #expect(try context.columns(for: "item").map(\.name) == ["id", "name", "description"])
        let path = folder("cache.sqlite")
        let cache = try SQLContext(path: path)
        // snippet begins: Migrations
        let migrations = [
            SQLMigration(
                "first tables", sql: "CREATE TABLE page (url TEXT PRIMARY KEY, body BLOB)"),
            SQLMigration("age") { context in
                try context.exec(sql: "ALTER TABLE page ADD COLUMN seen INTEGER DEFAULT 0")
            },
        ]
        let names = try cache.migrate(named: migrations, downgrade: .erase)
        // snippet ends
        #expect(names == ["first tables", "age"])
        #expect(try cache.appliedMigrations() == names)
        // snippet begins: Migrations
        var message = ""
        do {
            try cache.migrate(named: [migrations[0]])
        } catch let error as SQLMigrationError {
            message = error.description
        }
        // snippet ends
        #expect(message == "the database was migrated by a newer version of the program: age")
    }

    @Test("A pool for many tasks")
    func pool() async throws {
        let path = folder("people.sqlite")
        // snippet begins: PoolForManyTasks
        var options = SQLPool.Options()
        options.readers = 2
        options.configuration = .custom { $0.foreignKeysEnabled = true }
        let pool = try SQLPool(path: path, options: options)

        try await pool.write { context in
            try context.exec(sql: "CREATE TABLE person (name TEXT)")
            try context.exec(sql: "INSERT INTO person VALUES ('Ada'), ('Bob')")
        }
        let names = try await pool.read { context in
            try context.selectAll(sql: "SELECT name FROM person").compactMap { $0[0].textValue }
        }
        // snippet ends
        #expect(names == ["Ada", "Bob"])
        var isCancelled = false
        // snippet begins: PoolForManyTasks
        let endless = Task {
            try await pool.read { context in
                try context.selectValue(
                    sql: """
                        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
                        SELECT max(i) FROM n
                        """)
            }
        }
        endless.cancel()
        do {
            _ = try await endless.value
        } catch is CancellationError {
            isCancelled = true
        }
        // snippet ends
        #expect(isCancelled)
        // snippet begins: PoolForManyTasks
        try await pool.withWriter { try $0.exec(sql: "VACUUM") }
        pool.close()
        // snippet ends
        await #expect(throws: SQLError.self) {
            try await pool.read { try $0.selectValue(sql: "SELECT 1") }
        }
    }
}
