import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Failing disks")
struct PoisonedHandleTests {
    let fixture: EngineFixture
    let vfs: HookVFS
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        vfs = try HookVFS.registered()
    }

    private func open(_ configure: (inout DataFileOptions) -> Void = { _ in }) throws -> DataFile {
        try fixture.open(.readWrite) {
            $0.configuration = .custom(vfs: vfs.name)
            configure(&$0)
        }
    }

    /// The file after all handles are closed: intact, with these keys.
    private func expectWhole(_ keys: [String]) throws {
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try fixture.rows("SELECT key FROM kv_default ORDER BY key") == keys)
        let file = try fixture.open()
        try file.write { _ = try store.set("zzz", in: $0) }
        #expect(try file.read { try store.keys(in: $0) } == keys + ["zzz"])
    }

    @Test(
        "a failed commit: the error of the disk, then no more writes until it is opened again",
        arguments: [SQLResultCode.writeFailed, .full, .inputOutput])
    func failedCommit(code: SQLResultCode) throws {
        let file = try open()
        let other = try open()
        try file.write { _ = try store.set("a", in: $0) }
        vfs.fail([.write], of: .wal, with: code)
        let error = storeError { try file.write { _ = try store.set("b", in: $0) } }
        #expect(error?.underlying is SQLError)
        vfs.onCall(nil)
        for handle in [file, other, try open()] {
            let refusal = storeError(.notWriteable) { try handle.write { _ in } }
            #expect(refusal?.message.contains("close it and open it again") == true)
            #expect(try handle.read { try store.keys(in: $0) } == ["a"], "reading goes on")
            handle.close()
        }
        try expectWhole(["a"])
    }

    @Test("a failed sync, if each commit is synced")
    func failedSync() throws {
        let file = try open { $0.synchronous = .full }
        try file.write { _ = try store.set("a", in: $0) }
        vfs.fail([.sync], of: .wal, with: .syncFailed)
        storeError(.inputOutput) { try file.write { _ = try store.set("b", in: $0) } }
        vfs.onCall(nil)
        storeError(.notWriteable) { try file.write { _ in } }
        #expect(try file.read { try store.keys(in: $0) } == ["a"])
        file.close()
        // All of it was written before the sync, so it may be complete in the file, or missing.
        let found = try fixture.rows("SELECT key FROM kv_default ORDER BY key")
        #expect([["a"], ["a", "b"]].contains(found))
        try expectWhole(found)
    }

    @Test("a failed checkpoint: the commit before is durable, the WAL is kept for the next opening")
    func failedCheckpoint() throws {
        let file = try open()
        vfs.fail([.write], of: .mainDatabase, with: .full)
        let keys = (0..<1200).map { "k\(1000 + $0)" }
        try file.write { transaction in
            for key in keys {
                let body = [UInt8](repeating: 1, count: 4000)
                _ = try store.put(
                    RecordUpdate(key, body: body, expecting: .absent), in: transaction)
            }
        }
        let refusal = storeError(.notWriteable) { try file.write { _ in } }
        #expect(refusal?.message.contains("commit or checkpoint failed") == true)
        #expect(try file.read { try store.count(in: $0) } == (1200, 0))
        vfs.onCall(nil)
        file.close()
        #expect(FileSystem.size(fixture.path + "/db.sqlite3-wal") > 1200 * 4096)
        try expectWhole(keys)
    }

    /// Puts records until the page cache spills to the WAL, where there is no space.
    private func overflow(_ transaction: Transaction) throws {
        for number in 0..<3000 {
            let body = [UInt8](repeating: 1, count: 4000)
            _ = try store.put(
                RecordUpdate("big\(number)", body: body, expecting: .absent), in: transaction)
        }
        Issue.record("the cache holds all of it")
    }

    @Test("a closure that ignores a full disk cannot continue: SQLite has rolled back")
    func swallowedError() throws {
        let file = try open { $0.cacheKilobytes = 100 }
        try file.write { _ = try store.set("a", in: $0) }
        vfs.fail([.write], of: .wal, with: .full)
        let error = storeError(.notInTransaction) {
            try file.write { transaction in
                try store.set("b", in: transaction)
                try expectFull { try overflow(transaction) }
                vfs.onCall(nil)
                expectRefusal(transaction)
            }
        }
        #expect(error?.message.contains("was rolled back") == true)
        #expect(try file.read { try store.keys(in: $0) } == ["a"])
        try file.write { _ = try store.set("c", in: $0) }
        #expect(try fixture.liveRows() == ["a|1|0|", "c|2|0|"])
        #expect(try fixture.rows("SELECT name, lastSeq FROM kvmeta") == ["default|2"])
    }

    /// Within a transaction, too, the error is a StoreError.
    private func expectFull(_ body: () throws -> Void) throws {
        do {
            try body()
            Issue.record("the disk is not full")
        } catch let error as StoreError where error.domain == .posix {
            #expect(error.message.hasPrefix("the disk is full"))
        }
    }

    private func expectRefusal(_ transaction: Transaction) {
        for number in 0..<8 {
            storeError(.notInTransaction) { try change(number, transaction) }
        }
    }

    /// One of all kinds of changes.
    private func change(_ number: Int, _ transaction: Transaction) throws {
        switch number {
        case 0:
            let update = RecordUpdate("x", body: nil, expecting: .absent)
            _ = try store.put(update, in: transaction)
        case 1: try store.purge("a", in: transaction)
        case 2: try store.setExpiration(1, of: "a", in: transaction)
        case 3: try store.purgeExpired(at: 5, in: transaction)
        case 4: _ = try store.setFlags(.synced, of: "a", sequence: 1, in: transaction)
        case 5:
            try KeyStore(KeyStoreName("own")).putRaw(
                RawRecord(body: []), for: "x", in: transaction)
        case 6: try KeyStore(KeyStoreName(".new")).create(in: transaction)
        default: try transaction.savepoint {}
        }
    }

    @Test("a full disk within a savepoint rolls back the transaction, and its error is thrown")
    func fullInSavepoint() throws {
        let file = try open { $0.cacheKilobytes = 100 }
        vfs.fail([.write], of: .wal, with: .full)
        storeError(.notInTransaction) {
            try file.write { transaction in
                try store.set("b", in: transaction)
                try expectFull { try transaction.savepoint { try overflow(transaction) } }
                vfs.onCall(nil)
                storeError(.notInTransaction) { try store.set("c", in: transaction) }
            }
        }
        file.close()
        try expectWhole([])
    }

    @Test("a failed read does no harm: the next one works")
    func failedRead() throws {
        let file = try open()
        try file.write { _ = try store.set("a", in: $0) }
        vfs.onCall { operation, _ in operation == .read ? .readFailed : nil }
        storeError(.inputOutput) { try file.read { _ = try store.keys(in: $0) } }
        vfs.onCall(nil)
        #expect(try file.read { try store.keys(in: $0) } == ["a"])
        try file.write { _ = try store.set("b", in: $0) }
        file.close()
        try expectWhole(["a", "b"])
    }
}
