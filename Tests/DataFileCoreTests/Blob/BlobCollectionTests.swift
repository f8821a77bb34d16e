import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Collecting unused blobs")
struct BlobCollectionTests {
    let fixture: BlobFixture

    init() throws {
        fixture = try BlobFixture()
    }

    private static let hour = 3600.0

    @Test("happens on explicit compaction, which reports what it removed")
    func removed() throws {
        let file = try fixture.open()
        let kept = try file.blobs.put([1])
        let lost = try file.blobs.put([2, 3])
        try fixture.save("a", kept, in: file)
        #expect(try file.compact(isExplicit: false).areUnusedBlobsRemoved == false)
        #expect(fixture.names.count == 2)
        let result = try file.compact()
        #expect(result.removedBlobs == 1 && result.removedBlobBytes == 2)
        #expect(result.areUnusedBlobsRemoved)
        #expect(fixture.names == [kept.digest.fileName])
        #expect(try !file.blobs.contains(lost))
        let again = try file.compact()
        #expect(again.removedBlobs == 0 && again.areUnusedBlobsRemoved)
        try file.write { _ = try fixture.engine.store.purge("a", in: $0) }
        #expect(try file.compact().removedBlobs == 1)
        #expect(fixture.names == [])
    }

    @Test("does not change a file that never had blobs")
    func none() throws {
        let result = try fixture.open().compact()
        #expect(result.removedBlobs == 0 && result.areUnusedBlobsRemoved)
        #expect(!FileManager.default.fileExists(atPath: fixture.attachments))
    }

    @Test(
        "keeps blobs that any row refers to, whatever its kind and flags",
        arguments: [
            "INSERT INTO kv_default (key, body) VALUES ('x', ?)",
            "INSERT INTO kv_default (key, extra) VALUES ('x', ?)",
            "INSERT INTO kv_default (key, body, extra) VALUES ('x', 'sha1-', ?)",
            "INSERT INTO kv_del_default (key, flags, body) VALUES ('x', 1, ?)",
            "INSERT INTO kv_del_default (key, flags, extra) VALUES ('x', 1, ?)",
            "INSERT INTO kv_del_default (key, flags, expiration) VALUES ('x', 1, ?)",
            "INSERT INTO kv_info (key, body) VALUES ('x', ?)",
            "CREATE TABLE [kv_.a.b] (key TEXT, body BLOB); INSERT INTO [kv_.a.b] VALUES ('x', ?)",
            "CREATE TABLE kv_notes (key TEXT, body BLOB); INSERT INTO kv_notes VALUES ('x', ?)",
        ])
    func places(sql: String) throws {
        let file = try fixture.open()
        let blob = try file.blobs.put(BlobFixture.hello)
        let text = [0xFF, 0, 0x4F, 0x21] + Array(BlobFixture.helloDigest.utf8) + [0, 0x70]
        let context = try fixture.engine.sqlite()
        let statements = sql.components(separatedBy: "; ")
        for statement in statements.dropLast() { try context.exec(sql: statement) }
        try context.run(try #require(statements.last), [.blob(Data(text))])
        #expect(try file.compact().removedBlobs == 0)
        #expect(try file.blobs.bytes(of: blob) == BlobFixture.hello)
    }

    @Test(
        "finds a reference at any offset, and in any form of Base64",
        arguments: [
            ("", ""), ("sha1-", ""), ("sha1-sha1-", "sha1"), ("shsha1", "="),
            (String(repeating: "s", count: 15), "x"), (String(repeating: "sh", count: 100), ""),
            (#"{"digest":""#, #""}"#), (String(repeating: "€", count: 1000), "€"),
        ])
    func bytes(before: String, after: String) throws {
        let digests = try ["sha1-tsgOzj5esl4upx/NQogsyltg9fE=", BlobFixture.helloDigest]
            .map { try BlobDigest($0) }
        for text in [
            "sha1-tsgOzj5esl4upx/NQogsyltg9fE=", "sha1-tsgOzj5esl4upx_NQogsyltg9fE=",
            "sha1-tsgOzj5esl4upx/NQogsyltg9fE", "sha1-tsgOzj5esl4upx/NQogsyltg9fF=",
        ] {
            var scan = BlobScan(Set(digests))
            Array((before + text + after).utf8).withUnsafeBytes { scan.look(at: $0) }
            #expect(scan.unused == [digests[1]])
        }
    }

    @Test("does not take truncated or other text for a reference")
    func noReference() throws {
        let digest = try BlobDigest(BlobFixture.helloDigest)
        for text in [
            "", "sha1-", "sha1-Kq5sNclPz7QV2+lfQIuc6R7oRu", "SHA1-Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
            "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=", "sha1-Kq5sNclPz7QV2 lfQIuc6R7oRu0=",
        ] {
            var scan = BlobScan([digest])
            Array(text.utf8).withUnsafeBytes { scan.look(at: $0) }
            #expect(scan.unused == [digest], "\(text)")
        }
    }

    @Test("keeps blobs within the grace period, and those with a time in the future")
    func grace() throws {
        let file = try fixture.open(grace: 3600)
        for (age, isRemoved) in [(0.0, false), (3500, false), (3700, true), (-9000, false)] {
            try fixture.make(BlobFixture.helloName, secondsAgo: age)
            #expect(try file.compact().removedBlobs == (isRemoved ? 1 : 0), "\(age)")
        }
    }

    @Test("does not use the wall clock for blobs that this process has put")
    func pins() throws {
        let file = try fixture.open(grace: 3600)
        let blob = try file.blobs.put(BlobFixture.hello)
        try fixture.age(BlobFixture.helloName, secondsAgo: 100 * Self.hour)
        #expect(try file.compact().removedBlobs == 0)
        #expect(try file.blobs.contains(blob))
        // For a later process only the time of the file counts.
        file.close()
        #expect(try fixture.open(grace: 3600).compact().removedBlobs == 1)
    }

    @Test("restarts the grace period of an old blob when it is put again")
    func renewed() throws {
        try fixture.make(
            BlobFixture.helloName, BlobFixture.hello, secondsAgo: 100 * Self.hour)
        let file = try fixture.open(grace: 3600)
        _ = try file.blobs.put(BlobFixture.hello)
        file.close()
        #expect(try fixture.open(grace: 3600).compact().removedBlobs == 0)
        #expect(fixture.names == [BlobFixture.helloName])
    }

    @Test("removes leftovers of puts that crashed, and no other files of the directory")
    func leftovers() throws {
        let file = try fixture.open(grace: 3600)
        try fixture.make("incoming_old", secondsAgo: 2 * Self.hour)
        try fixture.make("incoming_new")
        let others = ["README", "x.blob", "b6c80ece3e5eb25e2ea71fcd42882cca5b60f5f1.blob", "x"]
        for name in others { try fixture.make(name, secondsAgo: 2 * Self.hour) }
        let directoryName = "2jmj7l5rSw0yVb_vlWAYkK_YBwk=.blob"
        try FileManager.default.createDirectory(
            atPath: "\(fixture.attachments)/\(directoryName)", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: "\(fixture.attachments)/\(BlobFixture.helloName)",
            withDestinationPath: fixture.engine.path + "/db.sqlite3")
        let writer = try file.blobs.writer()
        try writer.write([1])
        let inUse = try #require(
            Set(fixture.names).subtracting(
                others + ["incoming_old", "incoming_new", directoryName]
            )
            .first { $0.hasPrefix("incoming_") })
        try fixture.age(inUse, secondsAgo: 2 * Self.hour)
        let result = try file.compact()
        #expect(result.removedBlobs == 0)
        #expect(
            Set(fixture.names)
                == Set(others + [directoryName, BlobFixture.helloName, "incoming_new", inUse]))
        #expect(try file.blobs.bytes(of: writer.finish()) == [1])
    }

    @Test("does not wait for a copy of the directory, and reports that it was not done")
    func locked() throws {
        let file = try fixture.open()
        _ = try file.blobs.put([1])
        let other = try #require(try OpenDirectory(fixture.attachments))
        #expect(try other.lock(.shared, waits: false) == .locked)
        let result = try file.compact()
        #expect(result.removedBlobs == 0 && !result.areUnusedBlobsRemoved)
        #expect(fixture.names.count == 1)
        withExtendedLifetime(other) {}
    }

    @Test("keeps what the snapshot of a copy refers to")
    func copying() throws {
        // The WAL cannot be reset while it is read; do not wait for that here.
        let file = try fixture.open { $0.busyTimeoutMilliseconds = 20 }
        let blob = try file.blobs.put(BlobFixture.hello)
        try fixture.save("a", blob, in: file)
        let notes = KeyStore(KeyStoreName("notes"))
        try file.write { transaction in
            for number in 0..<400 {
                try notes.putRaw(
                    RawRecord(body: [UInt8](repeating: 0x78, count: 3000)), for: "\(number)",
                    in: transaction)
            }
        }
        let target = fixture.engine.directory("copy.cblite2")
        var isCompacted = false
        try file.copy(to: target) { _ in
            guard !isCompacted else { return true }
            isCompacted = true
            try file.write { _ = try fixture.engine.store.purge("a", in: $0) }
            #expect(try file.compact().removedBlobs == 1)
            return true
        }
        #expect(isCompacted)
        #expect(fixture.names == [])
        let copy = try DataFile(path: target)
        #expect(try copy.read { try fixture.engine.store.get("a", in: $0) } != nil)
        try copy.blobs.verify(blob)
    }

    @Test("removes blobs that only an older snapshot refers to; open readers continue")
    func oldSnapshot() throws {
        let file = try fixture.open { $0.busyTimeoutMilliseconds = 20 }
        let blob = try file.blobs.put(BlobFixture.hello)
        try fixture.save("a", blob, in: file)
        let reader = try file.blobs.open(blob)
        try file.read { snapshot in
            #expect(try fixture.engine.store.get("a", in: snapshot) != nil)
            try file.write { _ = try fixture.engine.store.purge("a", in: $0) }
            #expect(try file.compact().removedBlobs == 1)
            #expect(try fixture.engine.store.get("a", in: snapshot) != nil)
            storeError(.notFound) { _ = try file.blobs.bytes(of: blob) }
        }
        #expect(try reader.readChunk() == BlobFixture.hello)
    }

    @Test("removes nothing if a row cannot be read")
    func damagedRow() throws {
        let file = try fixture.open()
        let blob = try file.blobs.put([1])
        try file.write { transaction in
            for number in 0..<200 {
                try fixture.engine.store.set(
                    "\(number)", String(repeating: "x", count: 1000), in: transaction)
            }
        }
        try file.compact(isExplicit: false)
        let page = try #require(
            try fixture.engine.sqlite().selectValue(
                sql: """
                    SELECT pageno FROM dbstat WHERE name='kv_default' AND pagetype='leaf'
                    ORDER BY pageno LIMIT 1 OFFSET 5
                    """)?.longValue)
        file.close()
        let handle = try FileHandle(
            forUpdating: URL(filePath: fixture.engine.path + "/db.sqlite3"))
        try handle.seek(toOffset: UInt64((page - 1) * 4096))
        try handle.write(contentsOf: [UInt8](repeating: 0x55, count: 100))
        try handle.close()
        let damaged = try fixture.open()
        storeError(.corruptData) { _ = try damaged.compact() }
        #expect(fixture.names == [blob.digest.fileName])
    }

    @Test("ends without a change when its task is cancelled")
    func cancelled() async throws {
        let file = try fixture.open()
        let compact: @Sendable () throws -> Void = { _ = try file.compact() }
        _ = try file.blobs.put([1])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try compact()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(fixture.names.count == 1)
        let result = try await file.compact()
        #expect(result.removedBlobs == 1)
    }

    @Test("works in in-memory databases, too")
    func inMemory() throws {
        var options = DataFileOptions(access: .create)
        options.blobGraceSeconds = 0
        let file = try DataFile(inMemory: options)
        let kept = try file.blobs.put([1])
        _ = try file.blobs.put([2, 3])
        try fixture.save("a", kept, in: file)
        let result = try file.compact()
        #expect(result.removedBlobs == 1 && result.removedBlobBytes == 2)
        #expect(try file.blobs.digests() == [kept.digest])
        options.blobGraceSeconds = 3600
        let patient = try DataFile(inMemory: options)
        _ = try patient.blobs.put([2, 3])
        #expect(try patient.compact().removedBlobs == 0)
    }

    @Test("rejects a negative grace period")
    func badGrace() {
        storeError(.invalidParameter) { _ = try fixture.open(grace: -1) }
    }
}
