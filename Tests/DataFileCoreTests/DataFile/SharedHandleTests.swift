import Dispatch
import EngineTestSupport
import Foundation
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore
@testable import SQLCore

@Suite("Handles that share a file")
struct SharedHandleTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
    }

    @Test("share connections, by whatever path; a read-only handle has its own")
    func oneCore() throws {
        let first = try fixture.open()
        let link = fixture.directory("link.cblite2")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: fixture.path)
        var options = DataFileOptions(access: .create)
        options.maintenance = false
        for path in [fixture.path, fixture.path + "/", fixture.directory("./test.cblite2"), link] {
            let other = try DataFile(path: path, options: options)
            #expect(other.shared === first.shared, "\(path)")
        }
        let reader = try fixture.open(.readOnly)
        #expect(reader.shared !== first.shared)
        #expect(try fixture.open(.readOnly).shared === reader.shared)
    }

    @Test("closing one does not close the others; the last one removes the WAL")
    func lastCloses() throws {
        let first = try fixture.open()
        let second = try fixture.open()
        try first.write { _ = try store.set("a", in: $0) }
        first.close()
        storeError(.notOpen) { try first.read { _ in } }
        try second.write { _ = try store.set("b", in: $0) }
        #expect(FileSystem.kind(fixture.path + "/db.sqlite3-wal") == .file)
        second.close()
        #expect(FileSystem.kind(fixture.path + "/db.sqlite3-wal") == .nothing)
        #expect(try fixture.liveRows() == ["a|1|0|", "b|2|0|"])
    }

    @Test("a released handle is closed")
    func forgotten() throws {
        for _ in 0..<50 {
            let file = try fixture.open()
            try file.write { _ = try store.set("a", in: $0) }
        }
        // The WAL is removed with the last handle.
        #expect(FileSystem.kind(fixture.path + "/db.sqlite3-wal") == .nothing)
    }

    @Test("a write of one inside a write of another is a savepoint of it")
    func nestedAcross() throws {
        let first = try fixture.open()
        let second = try fixture.open()
        try first.write { outer in
            try store.set("a", in: outer)
            #expect(throws: Mishap.self) {
                try second.write { inner in
                    #expect(inner === outer)
                    try store.set("b", in: inner)
                    throw Mishap()
                }
            }
            // A reader uses another connection and sees the committed state.
            #expect(try second.read { try store.keys(in: $0) } == [])
        }
        #expect(try second.read { try store.keys(in: $0) } == ["a"])
    }

    @Test("a write inside a read is allowed, and not visible to that read")
    func writeInRead() throws {
        let file = try fixture.open()
        try file.read { snapshot in
            try file.write { _ = try store.set("a", in: $0) }
            #expect(try store.keys(in: snapshot) == [])
        }
        #expect(try file.read { try store.keys(in: $0) } == ["a"])
    }

    @Test("a read-only handle sees each commit of a writing one")
    func readerBesideWriter() throws {
        let writer = try fixture.open()
        let reader = try fixture.open(.readOnly)
        for number in 1...50 {
            try writer.write { _ = try store.set("k\(number)", in: $0) }
            #expect(try reader.read { try store.lastSequence(in: $0) } == Int64(number))
        }
        writer.close()
        #expect(try reader.read { try store.count(in: $0) } == (50, 0))
        storeError(.notWriteable) { try reader.write { _ in } }
    }

    @Test("opening with other options is rejected with a message")
    func otherOptions() throws {
        let first = try fixture.open()
        let changes: [(String, @Sendable (inout DataFileOptions) -> Void)] = [
            ("synchronous", { $0.synchronous = .full }), ("upgrade", { $0.upgrade = .never }),
            ("timeout", { $0.busyTimeoutMilliseconds = 1 }), ("readers", { $0.readers = 1 }),
            ("cache", { $0.cacheKilobytes = 100 }), ("map", { $0.memoryMapBytes = 1 << 20 }),
            ("maintenance", { $0.maintenance = true }),
        ]
        for (name, change) in changes {
            let error = storeError(.invalidParameter) { _ = try fixture.open(.readWrite, change) }
            #expect(error?.message.contains("with other options") == true, "\(name)")
        }
        first.close()
        // If a rejected handle kept the file open, others would be rejected, too.
        for (_, change) in changes { try fixture.open(.readWrite, change).close() }
    }

    @Test("closed inside a read or write, it continues to its end")
    func closedInside() throws {
        let file = try fixture.open()
        try file.read { snapshot throws in
            file.close()
            #expect(try store.count(in: snapshot) == (0, 0))
            storeError(.notOpen) { try file.read { _ in } }
        }
        let again = try fixture.open()
        try again.write { transaction in
            try store.set("a", in: transaction)
            again.close()
            try store.set("b", in: transaction)
            _ = try transaction.savepoint { try store.set("c", in: transaction) }
            storeError(.notOpen) { try again.write { _ in } }
        }
        #expect(try fixture.liveRows() == ["a|1|0|", "b|2|0|", "c|3|0|"])
    }

    @Test("closed while a task waits in the queue: the task fails, and the running one ends")
    func closedWhileWaiting() async throws {
        let file = try fixture.open()
        let isInside = Signal()
        let mayGoOn = DispatchSemaphore(value: 0)
        let working = Task {
            try await file.write { transaction in
                isInside.send()
                mayGoOn.wait()
                try store.set("a", in: transaction)
            }
        }
        await isInside.wait()
        let waiting = Task { try await file.write { _ = try store.set("b", in: $0) } }
        while file.shared.writers?.waitingCount != 1 { await Task.yield() }
        file.close()
        let error = await #expect(throws: StoreError.self) { try await waiting.value }
        #expect(error?.has(.notOpen) == true)
        mayGoOn.signal()
        _ = try await working.value
        #expect(try fixture.liveRows() == ["a|1|0|"])
    }

    @Test("opened and closed by many threads concurrently, no write is lost")
    func openedByMany() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        let file = try fixture.open(round % 2 == 0 ? .create : .readWrite)
                        try file.write { _ = try store.set("\(worker)-\(round)", in: $0) }
                        if round % 3 == 0 { file.close() }
                    }
                }
            }
            try await group.waitForAll()
        }
        // Options other than those of an open file would be rejected.
        try fixture.open(.readWrite) { $0.readers = 1 }.close()
        #expect(try fixture.rows("SELECT count(*), max(sequence) FROM kv_default") == ["80|80"])
    }

    @Test("if the directory is removed while open, the handle stays readable; a new file differs")
    func removedWhileOpen() throws {
        let old = try fixture.open()
        try old.write { _ = try store.set("old", in: $0) }
        #expect(try old.read { try store.count(in: $0) } == (1, 0))
        try FileManager.default.removeItem(atPath: fixture.path)
        // It would be written to a file that can never be opened again.
        storeError(.cannotOpenFile) { try old.write { _ = try store.set("older", in: $0) } }
        #expect(try old.read { try store.count(in: $0) } == (1, 0))
        storeError(.notFound) { _ = try fixture.open() }
        let new = try fixture.open(.create)
        #expect(new.shared !== old.shared)
        try new.write { _ = try store.set("new", in: $0) }
        old.close()
        try new.write { _ = try store.set("newer", in: $0) }
        #expect(try fixture.liveRows() == ["new|1|0|", "newer|2|0|"])
        new.close()
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try fixture.liveRows() == ["new|1|0|", "newer|2|0|"])
    }

    @Test(
        "if the file is replaced while open, an old handle never reads the new one")
    func replacedWhileOpen() throws {
        let old = try fixture.open()
        try FileManager.default.removeItem(atPath: fixture.path)
        storeError(.cannotOpenFile) { try old.read { _ in } }
        let new = try fixture.open(.create)
        try new.write { _ = try store.set("new", in: $0) }
        // The first reader is opened when it is needed.
        let error = storeError(.cannotOpenFile) { _ = try old.read { try store.keys(in: $0) } }
        #expect(error?.message.contains("was removed or replaced") == true)
        #expect(try new.read { try store.keys(in: $0) } == ["new"])
    }
}
