import Dispatch
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
internal import StorePlatform
import StoreTestSupport
import Testing
@testable import DataFileCore

/// With a grace period of 0 seconds, so that only the order of operations keeps a blob.
@Suite("Blobs during a collection", .serialized)
struct BlobRaceTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    /// Collects repeatedly until `body` returns, which can query how many blobs were
    /// removed so far; returns how many it were.
    private func whileCollecting(
        _ collect: @escaping @Sendable () throws -> Int, _ body: (() -> Int) throws -> Void
    ) throws -> Int {
        let isOver = Locked(false)
        let removed = Locked(0)
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            while !isOver.withLock({ $0 }) {
                do {
                    let count = try collect()
                    removed.withLock { $0 += count }
                } catch {
                    Issue.record(error)
                    return
                }
            }
        }
        let outcome = Result { try body { removed.withLock { $0 } } }
        isOver.withLock { $0 = true }
        group.wait()
        try outcome.get()
        return removed.withLock { $0 }
    }

    @Test("are kept if they are put in the transaction that saves their document, by 8 threads")
    func transactions() throws {
        let file = try fixture.open()
        let removed = try whileCollecting({ try file.compact().removedBlobs }) { _ in
            DispatchQueue.concurrentPerform(iterations: 8) { thread in
                do {
                    for number in 0..<25 { try save(thread, number, file) }
                } catch {
                    Issue.record(error)
                }
            }
        }
        // From here on all blobs that are not in a document have been removed, once each.
        #expect(try removed + file.compact().removedBlobs == 8 * 25)
        #expect(try file.blobs.usage().count == 8 * 25 + 25)
        #expect(try file.blobs.verifyAll().isIntact)
        #expect(fixture.names.allSatisfy { BlobDigest(fileName: $0) != nil })
    }

    /// A unique blob and a shared one, each saved; and one that is not.
    private func save(_ thread: Int, _ number: Int, _ file: DataFile) throws {
        try file.write { transaction in
            let own = try file.blobs.put([UInt8(thread), UInt8(number)])
            try fixture.save("\(thread)-\(number)", own, in: transaction)
            let common = try file.blobs.put([UInt8(number)])
            try fixture.save("\(thread)-\(number)-common", common, in: transaction)
        }
        _ = try file.blobs.put([UInt8(thread), UInt8(number), 1])
    }

    /// Counts the collector's passes for threads that wait for some.
    private final class Passes: Sendable {
        private struct State {
            var begun = 0
            var ended = 0
            var removed = 0
        }

        private let state = Locked(State())
        private let condition = NSCondition()

        var removed: Int { state.withLock { $0.removed } }

        func count(_ pass: () throws -> Int) throws -> Int {
            state.withLock { $0.begun += 1 }
            // A failed pass must not leave a thread waiting.
            var removed = 0
            defer { end(removed) }
            removed = try pass()
            return removed
        }

        private func end(_ removed: Int) {
            condition.lock()
            state.withLock { state in
                state.ended += 1
                state.removed += removed
            }
            condition.broadcast()
            condition.unlock()
        }

        /// Waits until that many passes that start from now on have ended; returns whether they did
        /// within a time limit.
        func wait(_ more: Int) -> Bool {
            let target = state.withLock { $0.begun + more }
            let limit = Date(timeIntervalSinceNow: 60)
            condition.lock()
            defer { condition.unlock() }
            while state.withLock({ $0.ended }) < target {
                guard condition.wait(until: limit) else { return false }
            }
            return true
        }
    }

    @Test("are kept if another connection saves a reference while the rows are read")
    func otherConnection() throws {
        let file = try fixture.open()
        // Rows that take a while to read: some milliseconds without optimization.
        let texts = KeyStore(KeyStoreName("texts"))
        try file.write { transaction in
            for number in 0..<20 {
                try texts.putRaw(
                    RawRecord(body: Array(String(repeating: "sha1 ", count: 100).utf8)),
                    for: "\(number)", in: transaction)
            }
        }
        let other = try fixture.engine.sqlite()
        // Only the order of operations matters, not how long a disk takes for each.
        try other.exec(
            sql: "PRAGMA synchronous=off; CREATE TABLE kv_notes (key TEXT, body BLOB)")
        let text = Array(BlobFixture.helloDigest.utf8)
        var saved = 0
        let passes = Passes()
        let collect: @Sendable () throws -> Int = {
            try passes.count {
                try file.withWriterContext {
                    try BlobCollector(context: $0, storage: file.shared.blobs).run().blobs
                }
            }
        }
        _ = try whileCollecting(collect) { _ in
            for round in 0..<2_000 where saved < 100 || passes.removed < 20 {
                let blob = try file.blobs.put(BlobFixture.hello)
                // The lock is free only now, and not for long: from time to time the collector
                // gets its turn, and in the other rounds the reference comes while it reads.
                if round % 8 == 0 { try #require(passes.wait(1)) }
                let isSaved = try other.transaction(.immediate) {
                    try other.run(
                        "INSERT INTO kv_notes (key, body) VALUES ('x', ?)", [.blob(Data(text))])
                    // No collection runs while this transaction is open.
                    return try file.blobs.contains(blob)
                }
                if isSaved {
                    saved += 1
                    // Among them the pass that had read the rows before the reference was saved.
                    try #require(passes.wait(1))
                    try #require(try file.blobs.contains(blob), "a saved blob is lost")
                }
                try other.run("DELETE FROM kv_notes")
            }
        }
        #expect(passes.removed >= 20 && saved >= 100)
    }

    @Test("are kept for the grace period if they are put before the transaction that saves them")
    func grace() throws {
        let file = try fixture.open(grace: 3600)
        _ = try whileCollecting({ try file.compact().removedBlobs }) { _ in
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                do {
                    for number in 0..<25 {
                        let blob = try file.blobs.put([UInt8(thread), UInt8(number)])
                        try fixture.save("\(thread)-\(number)", blob, in: file)
                    }
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(try file.blobs.usage().count == 100)
    }
}
