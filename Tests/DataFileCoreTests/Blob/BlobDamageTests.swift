import EngineTestSupport
import Foundation
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Missing and damaged blobs")
struct BlobDamageTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    private var hello: Blob {
        get throws { Blob(digest: try BlobDigest(BlobFixture.helloDigest), length: 11) }
    }

    private var path: String { "\(fixture.attachments)/\(BlobFixture.helloName)" }

    @Test("a missing blob is an error that names it and gives advice")
    func missing() throws {
        let blobs = try fixture.open().blobs
        for call in [{ _ = try blobs.bytes(of: hello) }, { try blobs.verify(hello) }] {
            let error = try #require(storeError(.notFound) { try call() })
            #expect(error.message.contains(path))
            #expect(error.message.contains(BlobFixture.helloDigest))
            #expect(error.message.contains("restore"))
        }
        #expect(try blobs.size(of: hello) == nil)
        _ = try blobs.put([])
        storeError(.notFound) { _ = try blobs.open(hello) }
    }

    @Test("a truncated blob is not read as complete, but its bytes can be read")
    func truncated() throws {
        let blobs = try fixture.open().blobs
        try fixture.make(BlobFixture.helloName, Array("hello".utf8))
        let error = try #require(storeError(.corruptData) { _ = try blobs.bytes(of: hello) })
        #expect(error.message.contains(path))
        #expect(error.message.contains("has 5 bytes") && error.message.contains("specifies 11"))
        storeError(.corruptData) { try blobs.verify(hello) }
        let unmeasured = Blob(digest: try hello.digest)
        #expect(try blobs.bytes(of: unmeasured) == Array("hello".utf8))
        storeError(.corruptData) { try blobs.verify(unmeasured) }
    }

    @Test("verifying finds a blob with other bytes")
    func otherBytes() throws {
        let blobs = try fixture.open().blobs
        try fixture.make(BlobFixture.helloName, Array("hellO world".utf8))
        let error = try #require(storeError(.corruptData) { try blobs.verify(hello) })
        #expect(error.message.contains(path))
        let found = try Array("hellO world".utf8).withUnsafeBytes { try BlobDigest(of: $0) }
        #expect(error.message.contains("\(found)"))
        #expect(error.message.contains(BlobFixture.helloDigest))
        let good = try blobs.put([1])
        let report = try blobs.verifyAll()
        #expect(report.count == 2 && report.totalBytes == 12 && !report.isIntact)
        #expect(report.damagedBlobs.map(\.digest) == [try hello.digest])
        #expect(report.damagedBlobs.first?.message == error.message)
        try blobs.verify(good)
    }

    @Test(
        "putting the right bytes fixes a damaged blob",
        arguments: ["", "hello", "hellO world", "hello world and more"])
    func healed(content: String) throws {
        let blobs = try fixture.open().blobs
        for isStreamed in [false, true] {
            try? FileManager.default.removeItem(atPath: path)
            try fixture.make(BlobFixture.helloName, Array(content.utf8))
            if isStreamed {
                let writer = try blobs.writer()
                try writer.write(BlobFixture.hello)
                #expect(try writer.finish() == hello)
            } else {
                #expect(try blobs.put(BlobFixture.hello) == hello)
            }
            try blobs.verify(hello)
            #expect(try blobs.bytes(of: hello) == BlobFixture.hello)
            #expect(fixture.names == [BlobFixture.helloName])
        }
    }

    @Test("a link instead of a blob is not followed, and is replaced by the blob")
    func link() throws {
        let blobs = try fixture.open().blobs
        _ = try blobs.put([])
        let secret = fixture.engine.directory("secret")
        try Data(BlobFixture.hello).write(to: URL(filePath: secret))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: secret)
        let error = try #require(storeError(.unsupported) { _ = try blobs.bytes(of: hello) })
        #expect(error.message.contains(path))
        #expect(try !blobs.contains(hello))
        #expect(try blobs.digests().count == 1)
        #expect(try blobs.put(BlobFixture.hello) == hello)
        #expect(try blobs.bytes(of: hello) == BlobFixture.hello)
        #expect(
            try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
                == .typeRegular)
        #expect(try Data(contentsOf: URL(filePath: secret)) == Data(BlobFixture.hello))
    }

    @Test("a device or directory instead of a blob neither blocks nor is read")
    func device() throws {
        let blobs = try fixture.open().blobs
        _ = try blobs.put([])
        #expect(mkfifo(path, 0o600) == 0)
        storeError(.unsupported) { _ = try blobs.open(hello) }
        #expect(unlink(path) == 0 && mkdir(path, 0o700) == 0)
        storeError(.unsupported) { _ = try blobs.open(hello) }
        #expect(try !blobs.contains(hello))
        // A directory cannot be replaced by a file.
        let error = storeError { _ = try blobs.put(BlobFixture.hello) }
        #expect(error?.domain == .posix)
        #expect(fixture.names.allSatisfy { !$0.hasPrefix("incoming_") })
    }

    @Test("a link or file instead of the directory is rejected, and not changed")
    func directory() throws {
        let file = try fixture.open()
        let elsewhere = fixture.engine.directory("elsewhere")
        try FileManager.default.createDirectory(
            atPath: elsewhere, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: fixture.attachments, withDestinationPath: elsewhere)
        for _ in 0..<2 {
            let calls: [() throws -> Void] = [
                { _ = try file.blobs.put([1]) }, { _ = try file.blobs.open(hello) },
                { _ = try file.blobs.digests() }, { _ = try file.blobs.size(of: hello) },
                { _ = try file.compact() },
            ]
            for call in calls {
                let error = storeError(.unsupported, call)
                #expect(error?.message.contains(fixture.attachments) == true)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == [])
            #expect(unlink(fixture.attachments) == 0)
            try Data([1]).write(to: URL(filePath: fixture.attachments))
        }
    }

    @Test("the source of a put must be a file, and not the database, which only SQLite may open")
    func sources() throws {
        let file = try fixture.open()
        let fifo = fixture.engine.directory("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let link = fixture.engine.directory("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: fixture.engine.path + "/db.sqlite3")
        _ = try file.write { try fixture.engine.store.set("a", in: $0) }
        let bad = [fixture.engine.path, fifo, "/dev/null", link]
        let own = ["", "-wal", "-shm"].map { "\(fixture.engine.path)/db.sqlite3\($0)" }
        for path in bad + own {
            let error = storeError(.invalidParameter) {
                _ = try file.blobs.put(contentsOfFile: path)
            }
            #expect(error?.message.contains(path) == true)
        }
        let error = storeError { _ = try file.blobs.put(contentsOfFile: "/no/such/file") }
        #expect(error?.domain == .posix && error?.code == Int(ENOENT))
        #expect(fixture.names == [])
    }

    @Test("a file that changes its size while it is read gives at most its original bytes")
    func changing() throws {
        let blobs = try fixture.open().blobs
        try fixture.make(BlobFixture.helloName, Array("hello".utf8))
        let reader = try blobs.open(Blob(digest: hello.digest))
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: 9)
        #expect(try reader.readChunk(maximum: 100) == Array("hello".utf8))
        reader.seek(to: 0)
        try handle.truncate(atOffset: 2)
        #expect(try reader.readChunk(maximum: 100) == Array("he".utf8))
        #expect(try reader.readChunk(maximum: 100) == [])
    }
}
