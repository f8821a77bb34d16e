import SQLCore
import SQLTables
import StoreTestSupport
import Testing

/// The code of the articles in SQLTables.docc about migrations.
@Suite("Documentation: migrations")
struct MigrationSnippets {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
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
        let path = directory("cache.sqlite")
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
}
