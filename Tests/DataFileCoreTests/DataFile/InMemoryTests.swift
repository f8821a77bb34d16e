import DataFileCore
import EngineTestSupport
import StoreFormat
import Testing

@Suite("In-memory databases", .timeLimit(.minutes(20)))
struct InMemoryTests {
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        file = try DataFile(inMemory: DataFileOptions(access: .create))
    }

    @Test("are read and written like others, and share nothing with each other")
    func readAndWrite() async throws {
        let other = try DataFile(inMemory: DataFileOptions(access: .create))
        try await file.write { _ = try store.set("a", "1", in: $0) }
        try await file.write { _ = try store.set("b", flags: .deleted, in: $0) }
        #expect(try await file.read { try store.count(in: $0) } == (1, 1))
        #expect(try await file.read { try store.text("a", in: $0) } == "1")
        #expect(try await other.read { try store.count(in: $0) } == (0, 0))
        #expect(file.path == ":memory:")
        file.close()
        storeError(.notOpen) { try file.read { _ in } }
        #expect(try await other.read { try store.count(in: $0) } == (0, 0))
    }

    @Test("a read inside a write sees its changes; a write inside a read is rejected")
    func nested() throws {
        try file.write { transaction in
            try store.set("a", in: transaction)
            #expect(try file.read { try store.keys(in: $0) } == ["a"])
        }
        try file.read { _ in
            _ = storeError(.transactionNotClosed) { try file.write { _ in } }
        }
        try file.write { _ = try store.set("b", in: $0) }
    }

    @Test("failed writes are rolled back, and observers are notified of the others")
    func rollbackAndChanges() async throws {
        let stream = try file.changes(of: store)
        await #expect(throws: Mishap.self) {
            try await file.write { transaction in
                try store.set("lost", in: transaction)
                throw Mishap()
            }
        }
        try await file.write { _ = try store.set("a", in: $0) }
        var iterator = stream.makeAsyncIterator()
        let event = await iterator.next()
        #expect(event?.changes == [RecordChange(key: "a", kind: .saved, sequence: 1)])
        file.close()
        #expect(await iterator.next() == nil)
    }

    @Test("8 tasks read and write concurrently, one after the other")
    func manyTasks() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask { [file, store] in
                    for round in 0..<20 {
                        try await file.write { _ = try store.set("\(worker)-\(round)", in: $0) }
                        _ = try await file.read { try store.count(in: $0) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await file.read { try store.lastSequence(in: $0) } == 160)
    }

    @Test("expired records are purged in the background, too")
    func expiry() async throws {
        let stream = try file.changes(of: store)
        try await file.write { transaction in
            try store.set("a", in: transaction)
            try store.setExpiration(1, of: "a", in: transaction)
        }
        var expired = false
        for await event in stream {
            expired = event.changes.contains { $0.kind == .expired && $0.key == "a" }
            if expired { break }
        }
        #expect(expired)
    }

    @Test("opened for reading they are empty and stay so")
    func readOnly() throws {
        let reader = try DataFile(inMemory: DataFileOptions())
        storeError(.notWriteable) { try reader.write { _ in } }
        #expect(try reader.read { try store.count(in: $0) } == (0, 0))
    }
}
