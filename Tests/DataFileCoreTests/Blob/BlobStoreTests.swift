import DataFileCore
import EngineTestSupport
import Foundation
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Storing and reading blobs")
struct BlobStoreTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    @Test("creates a read-only file that is named by its contents")
    func put() throws {
        let file = try fixture.open()
        #expect(!FileManager.default.fileExists(atPath: fixture.attachments))
        let blob = try file.blobs.put(BlobFixture.hello, contentType: "text/plain")
        #expect(blob.digest.description == BlobFixture.helloDigest)
        #expect(blob.length == 11 && blob.contentType == "text/plain")
        #expect(fixture.names == [BlobFixture.helloName])
        #expect(try fixture.contents(BlobFixture.helloName) == BlobFixture.hello)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: "\(fixture.attachments)/\(BlobFixture.helloName)")
        let mode = try #require(attributes[.posixPermissions] as? Int)
        #expect(mode & 0o400 != 0 && mode & 0o333 == 0)
        #expect(try file.blobs.bytes(of: blob) == BlobFixture.hello)
        #expect(try file.blobs.contains(blob) && file.blobs.size(of: blob) == 11)
        try file.blobs.verify(blob)
    }

    @Test("stores empty blobs, and bytes that are not contiguous")
    func empty() throws {
        let blobs = try fixture.open().blobs
        let empty = try blobs.put([])
        #expect(
            empty.length == 0 && empty.digest.description == "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=")
        #expect(try blobs.bytes(of: empty) == [])
        try blobs.verify(empty)
        let backwards = try blobs.put(BlobFixture.hello.reversed().lazy.map { $0 })
        #expect(try blobs.bytes(of: backwards) == BlobFixture.hello.reversed())
        #expect(try blobs.writer().finish() == empty)
        #expect(try blobs.usage() == (2, 11))
    }

    @Test("stores the same bytes once, whatever the source")
    func once() throws {
        let blobs = try fixture.open().blobs
        let first = try blobs.put(BlobFixture.hello)
        try fixture.age(BlobFixture.helloName, secondsAgo: 1000)
        #expect(try blobs.put(BlobFixture.hello) == first)
        let writer = try blobs.writer()
        for byte in BlobFixture.hello { try writer.write([byte]) }
        #expect(writer.length == 11)
        #expect(try writer.finish() == first)
        let source = fixture.engine.directory("hello.txt")
        try Data(BlobFixture.hello).write(to: URL(filePath: source))
        #expect(try blobs.put(contentsOfFile: source) == first)
        #expect(fixture.names == [BlobFixture.helloName])
    }

    @Test("reads from any offset to the end")
    func reader() throws {
        let blobs = try fixture.open().blobs
        let reader = try blobs.open(blobs.put(BlobFixture.hello))
        #expect(reader.length == 11)
        #expect(try reader.readChunk(maximum: 5) == Array("hello".utf8))
        #expect(reader.offset == 5)
        #expect(try reader.readChunk() == Array(" world".utf8))
        #expect(try reader.readChunk() == [])
        reader.seek(to: 6)
        var buffer: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 9]
        #expect(try buffer.withUnsafeMutableBytes { try reader.read(into: $0) } == 5)
        #expect(buffer == Array("world".utf8) + [0, 0, 9])
        for (place, offset) in [(-5, 0), (Int.min, 0), (11, 11), (12, 11), (Int.max, 11)] {
            reader.seek(to: place)
            #expect(reader.offset == offset)
        }
        reader.seek(to: 0)
        #expect(try reader.readChunk(maximum: -1) == [])
        #expect(try reader.readChunk(maximum: .max) == BlobFixture.hello)
        reader.close()
        storeError(.notOpen) { _ = try reader.readChunk() }
    }

    @Test("provides bytes to tasks in chunks", arguments: [1, 7, 100_000, .max])
    func chunks(bytes: Int) async throws {
        var random = SeededGenerator(seed: 1)
        let content = random.bytes(bytes == 1 ? 100 : 200_000)
        let blobs = try fixture.open().blobs
        let blob = try blobs.put(content)
        var all: [UInt8] = []
        var counts: Set<Int> = []
        for try await chunk in blobs.chunks(of: blob, bytes: bytes) {
            all += chunk
            counts.insert(chunk.count)
        }
        #expect(all == content)
        #expect(counts.allSatisfy { $0 > 0 && $0 <= bytes })
    }

    @Test("reports a missing blob to a task, and ends when the task is cancelled")
    func chunkErrors() async throws {
        let blobs = try fixture.open().blobs
        let missing = Blob(digest: try BlobDigest(BlobFixture.helloDigest))
        await #expect(throws: StoreError.self) {
            for try await _ in blobs.chunks(of: missing) {}
        }
        let blob = try blobs.put(BlobFixture.hello)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in blobs.chunks(of: blob) {}
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("writes in parts of any size, and reads the same")
    func parts() throws {
        var random = SeededGenerator(printing: "BlobStoreTests.parts")
        let blobs = try fixture.open().blobs
        for _ in 0..<30 {
            let writer = try blobs.writer()
            var content: [UInt8] = []
            for _ in 0..<random.below(20) {
                let part = random.bytes(random.below(random.pick([10, 1000, 100_000])))
                content += part
                try writer.write(part)
            }
            let blob = try writer.finish()
            #expect(try blobs.put(content) == blob)
            #expect(try blobs.bytes(of: blob) == content)
        }
        #expect(fixture.names.allSatisfy { BlobDigest(fileName: $0) != nil })
    }

    @Test("leaves nothing of a writer that is cancelled, released or finished")
    func writerEnds() throws {
        let blobs = try fixture.open().blobs
        let cancelled = try blobs.writer()
        try cancelled.write(BlobFixture.hello)
        #expect(fixture.names.count == 1 && fixture.names[0].hasPrefix("incoming_"))
        cancelled.cancel()
        #expect(fixture.names == [])
        do {
            let forgotten = try blobs.writer()
            try forgotten.write(Array(repeating: 1, count: 100_000))
        }
        #expect(fixture.names == [])
        let finished = try blobs.writer()
        _ = try finished.finish()
        finished.cancel()
        #expect(fixture.names.count == 1)
        for writer in [cancelled, finished] {
            storeError(.notOpen) { try writer.write([1]) }
            storeError(.notOpen) { _ = try writer.finish() }
        }
    }

    @Test("finishes a writer as a given digest only if its bytes have it")
    func expectedDigest() throws {
        let blobs = try fixture.open().blobs
        let digest = try BlobDigest(BlobFixture.helloDigest)
        for bytes in [[], Array(BlobFixture.hello.dropLast()), BlobFixture.hello + [0]] {
            let writer = try blobs.writer()
            try writer.write(bytes)
            #expect(try !writer.finish(as: digest))
            #expect(fixture.names == [])
            storeError(.notOpen) { _ = try writer.finish(as: digest) }
        }
        let writer = try blobs.writer()
        try writer.write(BlobFixture.hello)
        #expect(try writer.finish(as: digest))
        #expect(fixture.names == [BlobFixture.helloName])
    }

    @Test("lists and counts blobs; files with other names are ignored")
    func listing() throws {
        let blobs = try fixture.open().blobs
        #expect(try blobs.digests() == [] && blobs.usage() == (0, 0))
        let stored = try [[], [1], [2, 3]].map { try blobs.put($0).digest }
        for name in ["incoming_x", "README", "b6c80ece3e5eb25e2ea71fcd42882cca5b60f5f1.blob"] {
            try fixture.make(name)
        }
        #expect(try Set(blobs.digests()) == Set(stored))
        #expect(try blobs.digests().map(\.description) == stored.map(\.description).sorted())
        #expect(try blobs.usage() == (3, 3))
        #expect(try blobs.verifyAll().count == 3)
    }

    @Test("keeps the blobs of an in-memory database in memory, and copies them to disk with it")
    func inMemory() throws {
        let file = try DataFile(inMemory: DataFileOptions(access: .create))
        let blob = try file.blobs.put(BlobFixture.hello)
        let writer = try file.blobs.writer()
        for byte in BlobFixture.hello { try writer.write([byte]) }
        #expect(try writer.finish() == blob)
        #expect(try file.blobs.bytes(of: blob) == BlobFixture.hello)
        #expect(try file.blobs.usage() == (1, 11))
        try file.blobs.verify(blob)
        try fixture.save("a", blob, in: file)
        let target = fixture.engine.directory("copy.cblite2")
        try file.copy(to: target)
        let copy = try DataFile(path: target)
        #expect(try copy.blobs.bytes(of: blob) == BlobFixture.hello)
        #expect(try copy.blobs.verifyAll().isIntact)
    }

    @Test("is included when a database is copied")
    func copied() throws {
        let file = try fixture.open()
        let blob = try file.blobs.put(BlobFixture.hello)
        let target = fixture.engine.directory("copy.cblite2")
        try file.copy(to: target)
        #expect(try DataFile(path: target).blobs.bytes(of: blob) == BlobFixture.hello)
    }

    @Test("can be read through a read-only handle, which rejects writes")
    func readOnly() throws {
        let blobs = try fixture.open(.readOnly).blobs
        let missing = Blob(digest: try BlobDigest(BlobFixture.helloDigest))
        #expect(try !blobs.contains(missing))
        storeError(.notWriteable) { _ = try blobs.put([1]) }
        storeError(.notWriteable) { _ = try blobs.writer() }
        storeError(.notWriteable) { _ = try blobs.put(contentsOfFile: "/dev/null") }
        #expect(!FileManager.default.fileExists(atPath: fixture.attachments))
        _ = try fixture.open().blobs.put(BlobFixture.hello)
        #expect(try blobs.bytes(of: missing) == BlobFixture.hello)
    }

    @Test("fails after the handle is closed, and keeps a released handle open")
    func closed() throws {
        let kept = try fixture.open().blobs
        let blob = try kept.put(BlobFixture.hello)
        let file = try fixture.open()
        let blobs = file.blobs
        let reader = try blobs.open(blob)
        file.close()
        storeError(.notOpen) { _ = try blobs.put([1]) }
        storeError(.notOpen) { _ = try blobs.bytes(of: blob) }
        storeError(.notOpen) { _ = try blobs.digests() }
        #expect(try reader.readChunk() == BlobFixture.hello)
        #expect(try kept.bytes(of: blob) == BlobFixture.hello)
    }

    @Test("streams 64 MB with a few kilobytes of memory")
    func large() throws {
        let blobs = try fixture.open().blobs
        let part = [UInt8](repeating: 0x5A, count: 1 << 16)
        let before = try Self.peakKilobytes()
        let writer = try blobs.writer()
        for _ in 0..<1024 { try writer.write(part) }
        let blob = try writer.finish()
        #expect(blob.length == 64 << 20)
        let copy = try blobs.put(
            contentsOfFile: "\(fixture.attachments)/\(blob.digest.fileName)")
        #expect(copy == blob)
        try blobs.verify(blob)
        let reader = try blobs.open(blob)
        var count = 0
        while case let chunk = try reader.readChunk(), !chunk.isEmpty { count += chunk.count }
        #expect(count == 64 << 20)
        // Other tests run at the same time if it is not asked for.
        guard ProcessInfo.processInfo.environment["STORE_MEASURE"] != nil,
            let before, let after = try Self.peakKilobytes()
        else { return }
        #expect(after - before < 4 << 10)
        print("64 MB streamed in and out took \(after - before) KB more than before")
    }

    /// The peak memory of the process; nil if the system does not report it.
    private static func peakKilobytes() throws -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return nil }
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    }
}
