import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import Testing

@Suite("Reading and writing in tasks")
struct AsyncTests {
    let fixture: EngineFixture
    let file: DataFile
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        file = try fixture.open()
    }

    @Test("200 tasks on 2 handles lose nothing, and readers see complete transactions")
    func many() async throws {
        let handles = [file, try fixture.open()]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<200 {
                group.addTask { [store] in
                    try await handles[task % 2].write { transaction in
                        try store.set("\(task)-a", in: transaction)
                        try store.set("\(task)-b", in: transaction)
                    }
                }
                group.addTask { [store] in
                    let (live, _) = try await handles[task % 2].read { try store.count(in: $0) }
                    #expect(live % 2 == 0)
                }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.rows("SELECT count(*), max(sequence) FROM kv_default") == ["400|400"])
    }

    @Test("an error of the closure is thrown, and everything is rolled back")
    func errors() async throws {
        await #expect(throws: Mishap.self) {
            try await file.write { transaction in
                try store.set("a", in: transaction)
                throw Mishap()
            }
        }
        await #expect(throws: Mishap.self) { try await file.read { _ in throw Mishap() } }
        #expect(try await file.read { try store.count(in: $0) } == (0, 0))
        let error = await #expect(throws: StoreError.self) {
            try await file.read { try $0.connection().context.exec(sql: "SELECT * FROM nothing") }
        }
        #expect(error?.domain == .sqlite && error?.code == 1)
        #expect(error?.message.hasPrefix("\(file.path): ") == true)
    }

    @Test("a blocking call inside the closure of a task is part of its transaction")
    func nested() async throws {
        try await file.write { outer in
            try store.set("a", in: outer)
            try file.write { inner in
                #expect(inner === outer)
                try store.set("b", in: inner)
            }
        }
        try await file.read { [store] outer in
            let isSame = try file.read { $0 === outer }
            #expect(isSame)
            let keys = try store.keys(in: outer)
            #expect(keys == ["a", "b"])
        }
    }

    @Test("readers wait neither for a writer nor for each other")
    func readersDoNotWait() async throws {
        try await file.write { _ = try store.set("a", in: $0) }
        let isInside = Signal()
        let isRead = Signal()
        let writing = Task { [store] in
            try await file.write { transaction in
                try store.set("b", in: transaction)
                isInside.send()
                // Blocks this connection's thread until others have read.
                isRead.block()
            }
        }
        await isInside.wait()
        for _ in 0..<10 {
            #expect(try await file.read { try store.keys(in: $0) } == ["a"])
        }
        isRead.send()
        try await writing.value
        #expect(try await file.read { try store.keys(in: $0) } == ["a", "b"])
    }
}
