import Dispatch
import Foundation
import SQLCore
import StoreTestSupport
import Testing

@testable import DataFileCore

/// With a grace of 0 seconds, so that only the order of things keeps a blob.
@Suite("Blobs beside a collection", .serialized)
struct BlobRaceTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    /// Collects again and again until `body` has returned, which can ask how many blobs were
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
        // At the latest now all that are in no document are gone, each once.
        #expect(try removed + file.compact().removedBlobs == 8 * 25)
        #expect(try file.blobs.usage().count == 8 * 25 + 25)
        #expect(try file.blobs.verifyAll().isIntact)
        #expect(fixture.names.allSatisfy { BlobDigest(fileName: $0) != nil })
    }

    /// A blob of its own and one that others put, too, each saved; and one that is not.
    private func save(_ thread: Int, _ number: Int, _ file: DataFile) throws {
        try file.write { transaction in
            let own = try file.blobs.put([UInt8(thread), UInt8(number)])
            try fixture.save("\(thread)-\(number)", own, in: transaction)
            let common = try file.blobs.put([UInt8(number)])
            try fixture.save("\(thread)-\(number)-common", common, in: transaction)
        }
        _ = try file.blobs.put([UInt8(thread), UInt8(number), 1])
    }

    @Test("are kept if another connection saves a reference while the rows are read")
    func otherConnection() throws {
        let file = try fixture.open()
        // Rows to be read for a while.
        try file.write { transaction in
            for number in 0..<100 {
                try fixture.engine.store.set(
                    "\(number)", String(repeating: "sha1 ", count: 200), in: transaction)
            }
        }
        let other = try fixture.engine.sqlite()
        try other.exec(sql: "CREATE TABLE kv_notes (key TEXT, body BLOB)")
        let text = Array(BlobFixture.helloDigest.utf8)
        var saved = 0
        let collect: @Sendable () throws -> Int = {
            try file.withWriterContext {
                try BlobCollector(context: $0, place: file.shared.blobs).run().blobs
            }
        }
        let removed = try whileCollecting(collect) { removed in
            for _ in 0..<20_000 where saved < 200 || removed() < 20 {
                let blob = try file.blobs.put(BlobFixture.hello)
                let isSaved = try other.transaction(.immediate) {
                    try other.run(
                        "INSERT INTO kv_notes (key, body) VALUES ('x', ?)", [.blob(Data(text))])
                    // Nobody collects while this transaction is open.
                    return try file.blobs.contains(blob)
                }
                if isSaved {
                    saved += 1
                    for _ in 0..<10 {
                        try #require(try file.blobs.contains(blob), "a saved blob is lost")
                        usleep(100)
                    }
                }
                try other.run("DELETE FROM kv_notes")
            }
        }
        #expect(removed >= 20 && saved >= 200)
    }

    @Test("are kept for the grace if they are put before the transaction that saves them")
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
