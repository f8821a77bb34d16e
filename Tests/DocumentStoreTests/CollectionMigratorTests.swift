import DocumentStore
import Testing

@Suite("Migrations of an application's collections")
struct CollectionMigratorTests {
    private let people: DocumentCollection
    private let info: DocumentCollection
    private let file: DataFile

    init() throws {
        people = try DocumentCollection(CollectionName("app.people"))
        info = try DocumentCollection(CollectionName("app.info"))
        file = try DataFile(inMemory: DataFileOptions(access: .create))
    }

    private struct Stop: Error {}

    private var creation: CollectionMigration {
        CollectionMigration("people") { [people, info] transaction in
            try people.create(in: transaction)
            try info.create(in: transaction)
        }
    }

    private var ada: CollectionMigration {
        CollectionMigration("Ada") { [people] transaction in
            _ = try people.save("ada", in: transaction) { try $0.encode(["age": 36]) }
        }
    }

    private func migrator(_ migrations: CollectionMigration...) -> CollectionMigrator {
        CollectionMigrator(migrations, versionIn: info)
    }

    @Test("a new file runs all migrations, an older one those that it lacks")
    func steps() throws {
        #expect(try file.read(migrator(creation).version(in:)) == 0)
        try migrator(creation).migrate(file)
        #expect(try file.read(migrator(creation).version(in:)) == 1)

        // The first step is not applied again.
        let first = CollectionMigration("never") { _ in throw Stop() }
        try migrator(first, ada).migrate(file)
        #expect(try file.read(migrator(first, ada).version(in:)) == 2)
        #expect(try file.read { try people.get("ada", in: $0)?["age"]?.int } == 36)

        try migrator(first, first).migrate(file)
        #expect(migrator(first, first).newestVersion == 2)
    }

    @Test("a migration that throws leaves the file unchanged")
    func failure() throws {
        try migrator(creation).migrate(file)
        let stop = CollectionMigration("stop") { _ in throw Stop() }
        #expect(throws: Stop.self) { try migrator(creation, ada, stop).migrate(file) }
        #expect(try file.read(migrator(creation).version(in:)) == 1)
        #expect(try file.read { try people.get("ada", in: $0) } == nil)
    }

    @Test("a newer file, and one with a damaged version, are errors, and stay unchanged")
    func refusal() throws {
        try migrator(creation, ada).migrate(file)
        let newer = #expect(throws: CollectionMigrationError.self) {
            try migrator(creation).migrate(file)
        }
        #expect(newer == .newerVersion(2, known: 1))

        try file.write { transaction in
            _ = try info.save("schema", in: transaction) { try $0.encode(["version": "two"]) }
        }
        let damaged = #expect(throws: CollectionMigrationError.self) {
            try migrator(creation, ada).migrate(file)
        }
        #expect(damaged == .invalidVersion(info.name))
    }

    @Test("two libraries store their versions in one file")
    func two() throws {
        let other = try DocumentCollection(CollectionName("other.info"))
        let creation = CollectionMigration("other") { try other.create(in: $0) }
        try CollectionMigrator([creation], versionIn: other).migrate(file)
        try migrator(self.creation, ada).migrate(file)
        #expect(
            try file.read(CollectionMigrator([creation], versionIn: other).version(in:)) == 1)
        #expect(try file.read(migrator().version(in:)) == 2)
    }
}
