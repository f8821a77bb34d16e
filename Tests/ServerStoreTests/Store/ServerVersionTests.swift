import SQLCore
import DocumentStore
import Foundation
import Logging
import StoreTestSupport
import Testing

@testable import ServerStore

// The story of two versions of an application: A1 has schema S1; A2 brings S2, and is withdrawn;
// A1' has to open what A2 has left.
@Suite("Versions of a store")
struct ServerVersionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("servers.cblite2")
    }

    /// S1 → S2: servers say what they are called by somebody.
    private static let nicknames = CollectionMigration("nicknames") { transaction in
        let collections = try Collections()
        try collections.logicals.forEach(in: transaction) { document in
            var document = try document.get().mutableCopy()
            document["nickname"] = "none"
            _ = try collections.logicals.save(&document, in: transaction)
        }
    }

    /// S2 → S3, which is S1 again.
    private static let withoutNicknames = CollectionMigration("no nicknames") { transaction in
        let collections = try Collections()
        try collections.logicals.forEach(in: transaction) { document in
            var document = try document.get().mutableCopy()
            document["nickname"] = nil
            _ = try collections.logicals.save(&document, in: transaction)
        }
    }

    private func open(
        _ migrations: [CollectionMigration], _ policy: NewerVersionPolicy = .fail,
        _ log: (String) -> Void = { _ in }
    ) throws -> ServerStore {
        try ServerStore(
            path: path, options: DataFileOptions(access: .create), names: .current,
            ifNewer: policy, log: log, migrations)
    }

    private func fill(_ migrations: [CollectionMigration]) throws {
        let store = try open(migrations)
        try store.write { try store.replaceList([ServerLists.server("a")], in: $0) }
        store.file.close()
    }

    private func nickname(_ store: ServerStore) throws -> String? {
        try store.read { try store.collections.logicals.get("a", in: $0)?["nickname"]?.string }
    }

    @Test("A1 to A2: the step is gone through once, with all servers")
    func upgrade() throws {
        try fill(CollectionMigration.all)
        let store = try open(CollectionMigration.all + [Self.nicknames])
        #expect(try nickname(store) == "none")
        #expect(try store.read { try store.version(in: $0) } == 2)
        let list: ServerList = try store.currentList()
        #expect(list.servers == [ServerLists.server("a")])
    }

    @Test("A2 withdrawn: A1 with a step of its own reads what A2 has left, and new files alike")
    func revert() throws {
        try fill(CollectionMigration.all)
        try open(CollectionMigration.all + [Self.nicknames]).file.close()
        let store = try open(CollectionMigration.all + [Self.nicknames, Self.withoutNicknames])
        #expect(try nickname(store) == nil)
        let list: ServerList = try store.currentList()
        #expect(list.servers.count == 1)
        #expect(try store.read { try store.version(in: $0) } == 3)
    }

    @Test("A1 over A2 without that migration: an error, and the file stays unchanged")
    func fail() throws {
        try fill(CollectionMigration.all + [Self.nicknames])
        let error = #expect(throws: ServerStoreError.self) { try open(CollectionMigration.all) }
        #expect(error?.code == .newerVersion)
        let store = try open(CollectionMigration.all + [Self.nicknames])
        #expect(try store.read { try store.serverCount(in: $0) } == 1)
    }

    @Test("in builds that are shipped the file goes, with all that belongs to it")
    func recreate() throws {
        try fill(CollectionMigration.all + [Self.nicknames])
        var lines: [String] = []
        let store = try open(CollectionMigration.all, .recreate) { lines.append($0) }
        #expect(try store.read { try store.isEmpty(in: $0) })
        #expect(lines.count == 1 && lines[0].contains("was deleted"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
    }

    @Test("or the file is renamed, with an unused name, and a new one is created")
    func setAside() throws {
        for number in 1...2 {
            try fill(CollectionMigration.all + [Self.nicknames])
            let store = try open(CollectionMigration.all, .setAside)
            #expect(try store.read { try store.isEmpty(in: $0) })
            store.file.close()
            let kept = try DataFile(path: path + ".newer-\(number)")
            let old = try ServerStore(
                kept, names: .current, CollectionMigration.all + [Self.nicknames])
            #expect(try old.read { try old.serverCount(in: $0) } == 1)
            kept.close()
            try DataFile.delete(path: path)
        }
    }

    @Test("a debug build stops")
    func assertion() async {
        await #expect(processExitsWith: .failure) {
            let directory = try TemporaryDirectory()
            let path = directory("servers.cblite2")
            let newer = CollectionMigration("newer") { _ in }
            try ServerStore(
                DataFile(path: path, options: .init(access: .create)), names: .current,
                CollectionMigration.all + [newer]
            )
            .file.close()
            _ = try? ServerStore(path: path, ifNewer: .assert)
            // Only an assertion ends the program with a failure.
            exit(0)
        }
    }

    // 504 can be read and not written, 600 cannot even be read.
    private static let newerSchemas = [504, 600]

    private func fill(schema: Int) throws {
        try fill(CollectionMigration.all)
        let context = try SQLContext(path: path + "/db.sqlite3")
        try context.exec(sql: "PRAGMA user_version=\(schema)")
    }

    @Test(
        "A schema of the engine that is newer than this version is an error",
        arguments: newerSchemas)
    func failForSchema(_ schema: Int) throws {
        try fill(schema: schema)
        let error = #expect(throws: ServerStoreError.self) { try ServerStore(path: path) }
        #expect(error?.code == .newerVersion)
        #expect(error?.message.contains("schema \(schema)") == true)
        #expect(FileManager.default.fileExists(atPath: path + "/db.sqlite3"))
    }

    @Test("With such a schema .recreate creates an empty file", arguments: newerSchemas)
    func recreateForSchema(_ schema: Int) throws {
        try fill(schema: schema)
        var lines: [String] = []
        let store = try open(CollectionMigration.all, .recreate) { lines.append($0) }
        #expect(try store.read { try store.isEmpty(in: $0) })
        try store.write { try store.replaceList([ServerLists.server("b")], in: $0) }
        #expect(lines.count == 1 && lines[0].contains("was deleted"))
    }

    @Test("With such a schema .setAside keeps the file", arguments: newerSchemas)
    func setAsideForSchema(_ schema: Int) throws {
        try fill(schema: schema)
        let store = try open(CollectionMigration.all, .setAside)
        #expect(try store.read { try store.isEmpty(in: $0) })
        let kept = try SQLContext(path: path + ".newer-1/db.sqlite3")
        #expect(try kept.pragma("user_version") == .long(Int64(schema)))
    }

    @Test("With such a schema .assert ends the program", arguments: newerSchemas)
    func assertForSchema(_ schema: Int) async {
        await #expect(processExitsWith: .failure) { [schema] in
            let directory = try TemporaryDirectory()
            let path = directory("servers.cblite2")
            try ServerStore(path: path).file.close()
            try SQLContext(path: path + "/db.sqlite3").exec(sql: "PRAGMA user_version=\(schema)")
            _ = try? ServerStore(path: path, ifNewer: .assert)
            exit(0)
        }
    }

    @Test("Reading a file whose schema can be read needs no policy")
    func readSchema() throws {
        try fill(schema: 504)
        let store = try ServerStore(path: path, options: DataFileOptions(access: .readOnly))
        #expect(try store.read { try store.serverCount(in: $0) } == 1)
    }

    @Test("A repository of a configuration recreates such a file and logs an error")
    func logsError() throws {
        try fill(schema: 600)
        let log = RecordedLog()
        let configuration = DatabaseConfiguration(
            databaseType: .physical(filePath: path), ifNewer: .recreate,
            log: DatabaseConfiguration.errorLog(Logger(label: "test") { _ in log }))
        let repository = ServerRepository.live(configuration: configuration)
        #expect(try repository.serverCount() == 0)
        #expect(log.entries.map(\.level) == [.error])
        #expect(log.entries.first?.message.contains("was deleted") == true)
    }

    @Test("nothing is deleted for another error")
    func otherErrors() throws {
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: StoreError.self) { try open(CollectionMigration.all, .recreate) }
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
