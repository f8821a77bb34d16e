import DataFileCore
import Dispatch
import EngineTestSupport
import Foundation
import Logging
import SQLCore
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing

@Suite("The growth of the WAL")
struct WALGrowthTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
    }

    /// A commit of so many pages and some.
    private func write(pages: Int, _ file: DataFile, _ round: Int) throws {
        try file.write { transaction in
            let body = [UInt8](repeating: 0x62, count: 4000)
            for number in 0..<pages {
                let update = RecordUpdate("\(round)-\(number)", body: body, expecting: .absent)
                _ = try store.put(update, in: transaction)
            }
        }
    }

    private func walPages() -> Int { FileSystem.size(fixture.path + "/db.sqlite3-wal") / 4096 }

    @Test("without readers the WAL is checkpointed at 1,000 pages, and reset")
    func bounded() throws {
        let file = try fixture.open()
        for round in 0..<20 { try write(pages: 300, file, round) }
        #expect(walPages() < 2500)
        #expect(FileSystem.size(fixture.path + "/db.sqlite3") > 3000 * 4096)
    }

    @Test("a warning is logged for a reader that holds its snapshot, once for each doubling")
    func warning() throws {
        let messages = Messages()
        let file = try fixture.open {
            $0.walWarningPages = 1500
            $0.logger = Logger(label: "test") { _ in messages }
        }
        try file.read { snapshot in
            #expect(try store.count(in: snapshot) == (0, 0))
            for round in 0..<20 { try write(pages: 300, file, round) }
            #expect(walPages() > 5000)
        }
        let warnings = messages.all(.warning)
        #expect((1...3).contains(warnings.count), "\(warnings)")
        #expect(warnings.first?.contains("has grown to") == true)
        #expect(warnings.first?.contains("end long reads") == true)
        // The reader has ended: the next commits reset the WAL.
        let before = walPages()
        for round in 20..<26 { try write(pages: 300, file, round) }
        #expect(walPages() <= before)
        #expect(messages.all(.warning).count == warnings.count)
        #expect(try file.read { try store.count(in: $0) } == (26 * 300, 0))
    }

    /// Two alternating readers: each starts before the other ends, so there is always one.
    private func readByTurns(
        _ file: DataFile, _ turns: [DispatchSemaphore], until isFinished: Locked<Bool>
    ) -> DispatchGroup {
        let group = DispatchGroup()
        for reader in [0, 1] {
            let (own, others) = (turns[reader], turns[1 - reader])
            group.enter()
            Thread.detachNewThread {
                if reader == 1 { own.wait() }
                while !isFinished.withLock({ $0 }) {
                    _ = try? file.read { snapshot in
                        others.signal()
                        own.wait()
                    }
                }
                // The other one waits.
                others.signal()
                group.leave()
            }
        }
        return group
    }

    @Test("if readers overlap, the WAL is reset nevertheless")
    func overlappingReaders() throws {
        let messages = Messages()
        let file = try fixture.open {
            $0.walWarningPages = 20_000
            $0.logger = Logger(label: "test") { _ in messages }
        }
        let isFinished = Locked(false)
        let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
        let readers = readByTurns(file, turns, until: isFinished)
        for round in 0..<2500 { try write(pages: 8, file, round) }
        isFinished.withLock { $0 = true }
        readers.wait()
        // Otherwise it would be 36,000.
        #expect(walPages() < 20_000)
        #expect(messages.all(.warning) == [])
    }

    @Test("a concurrent checkpoint of another connection does not harm the handle")
    func besideOther() throws {
        let file = try fixture.open()
        let other = try fixture.sqlite()
        for round in 0..<12 {
            try write(pages: 300, file, round)
            _ = try other.lines("PRAGMA wal_checkpoint(PASSIVE)")
        }
        try file.write { _ = try store.set("a", in: $0) }
    }

    @Test("a task cancelled during the checkpoint has committed, and the next one can commit, too")
    func cancelledCheckpoint() async throws {
        let vfs = try HookVFS.registered()
        let file = try fixture.open { $0.configuration = .custom(vfs: vfs.name) }
        let cancel = Canceller()
        // Only a checkpoint writes to the file itself.
        vfs.onCall { operation, kind in
            if operation == .write, kind == .mainDatabase { cancel.cancel() }
            return nil
        }
        let task = Task { try await file.write { try fill($0) } }
        cancel.set { task.cancel() }
        do {
            try await task.value
        } catch is CancellationError {
            Issue.record("it was committed before")
        }
        #expect(cancel.hasCancelled)
        vfs.onCall(nil)
        try await file.write { _ = try store.set("after", in: $0) }
        #expect(try await file.read { try store.count(in: $0) } == (1501, 0))
    }

    private func fill(_ transaction: Transaction) throws {
        let body = [UInt8](repeating: 0x62, count: 4000)
        for number in 0..<1500 {
            _ = try store.put(
                RecordUpdate("k\(number)", body: body, expecting: .absent), in: transaction)
        }
    }
}
