import DocumentStore
import SQLCore
import SQLPlus
import ServerStore
import StoreTestSupport
import Testing

@Suite("A list of servers with a key")
struct EncryptedServersTests {
    @Test("keeps its servers, and opens with its key alone")
    func opens() throws {
        let directory = try TemporaryDirectory()
        var options = DataFileOptions(access: .create)
        options.encryption = EncryptionKey.random()
        let store = try ServerStore(path: directory("s.cblite2"), options: options)
        _ = try store.write { try store.replaceList([ServerLists.server("a")], in: $0) }
        store.file.close()
        let again = try ServerStore(path: directory("s.cblite2"), options: options)
        #expect(try again.currentList().servers.map(\.id) == ["a"])
        again.file.close()
        do {
            _ = try ServerStore(path: directory("s.cblite2"))
            Issue.record("it opens without its key")
        } catch let error as StoreError {
            #expect(error.underlying as? EncryptionError == .keyRequired)
        }
    }

    @Test("cannot be in memory, and is not taken for a plain one there")
    func inMemory() throws {
        // The one that all share may be open already.
        let shared = ServerRepository.live(
            configuration: DatabaseConfiguration(databaseType: .inMemory))
        _ = try shared.serverCount()
        for type in [DatabaseType.inMemory, .ephemeral] {
            let repository = ServerRepository.live(
                configuration: DatabaseConfiguration(
                    databaseType: type, encryption: EncryptionKey.random()))
            do {
                _ = try repository.serverCount()
                Issue.record("\(type) opens with a key")
            } catch let error as StoreError {
                #expect(error.has(.invalidParameter))
                #expect(error.underlying as? EncryptionError == .noFile)
            }
        }
    }

    @Test("is that of a repository, and of the copy for an ephemeral one")
    func repository() throws {
        let directory = try TemporaryDirectory()
        let path = directory("s.cblite2")
        let key = EncryptionKey.random()
        let live = ServerRepository.live(
            configuration: DatabaseConfiguration(
                databaseType: .physical(filePath: path), encryption: key))
        try live.upsert(servers: [ServerLists.server("a")])
        try live.closeConnection()
        let copied = ServerRepository.live(
            configuration: DatabaseConfiguration(
                databaseType: .ephemeral(filePath: path), encryption: key))
        #expect(try copied.serverCount() == 1)
        let plain = ServerRepository.live(
            configuration: DatabaseConfiguration(databaseType: .physical(filePath: path)))
        #expect(throws: StoreError.self) { try plain.serverCount() }
    }
}
