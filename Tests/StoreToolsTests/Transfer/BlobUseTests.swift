import DataFileCore
import FleeceLite
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Which records refer to which blobs")
struct BlobUseTests {
    let store: TemporaryStore
    let people = DocumentCollection(.default)
    var file: DataFile { store.file }

    init() throws {
        var options = TransferFixture.options(.create, .treesInExtra)
        options.blobGraceSeconds = 0
        store = try TemporaryStore(options: options)
    }

    private func save(_ id: String, _ blobs: [Blob], in collection: DocumentCollection) throws {
        try file.write { transaction in
            try collection.create(in: transaction)
            _ = try collection.save(id, in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("photos")
                encoder.beginArray()
                for blob in blobs { try encoder.write(blob) }
                try encoder.endArray()
                try encoder.endDictionary()
            }
        }
    }

    private func references() throws -> [String] {
        try file.read { snapshot in
            var found: [String] = []
            try snapshot.blobReferences { store, key, blob in
                found.append("\(store.rawName)/\(key) \(blob.digest) \(blob.length ?? -1)")
            }
            return found
        }
    }

    @Test("is reported per document, each blob once")
    func walk() throws {
        let one = try file.blobs.put([1], contentType: "image/png")
        let two = try file.blobs.put([2, 2])
        let staff = DocumentCollection(try CollectionName("staff"))
        try save("b", [one, two, one], in: people)
        try save("a", [two], in: people)
        try save("z", [one], in: staff)
        try save("none", [], in: staff)
        #expect(
            try references() == [
                ".staff/z \(one.digest) 1", "default/a \(two.digest) 2",
                "default/b \(one.digest) 1", "default/b \(two.digest) 2",
            ])
    }

    @Test("includes raw records and damaged documents by the digests in their bytes")
    func raw() throws {
        let blob = try file.blobs.put([1, 2, 3])
        let text = Array("see \(blob.digest)".utf8)
        try file.write { transaction in
            let notes = KeyStore(KeyStoreName("notes"))
            try notes.putRaw(RawRecord(body: text), for: "n", in: transaction)
        }
        try SQLContext(path: store.path + "/db.sqlite3", flags: .readWrite).exec(
            sql: """
                INSERT INTO kv_default (key, sequence, flags, version, body)
                VALUES ('bad', 1, 0, x'01FF', ?)
                """, parameters: [.blob(text)])
        #expect(
            try references() == [
                "default/bad \(blob.digest) -1", "notes/n \(blob.digest) -1",
            ])
    }

    @Test("includes other branches of a tree")
    func branches() throws {
        let one = try file.blobs.put([1])
        let two = try file.blobs.put([2])
        try save("a", [one], in: people)
        let other = RevisionID.digest(generation: 1, digest: Array(repeating: 0xFF, count: 20))
        _ = try file.write { transaction in
            try people.insert("a", history: [other], remote: 1, in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("photo")
                try encoder.write(two)
                try encoder.endDictionary()
            }
        }
        #expect(
            Set(try references()) == [
                "default/a \(one.digest) 1", "default/a \(two.digest) 1",
            ])
    }

    @Test("unused blobs are listed with their sizes, and not removed")
    func unused() throws {
        let kept = try file.blobs.put([1])
        let lost = [try file.blobs.put([2, 2]), try file.blobs.put([3, 3, 3])]
        try save("a", [kept], in: people)
        let unused = try file.unusedBlobs().blobs
        let expected = lost.map { UnusedBlob(digest: $0.digest, byteCount: $0.length ?? 0) }
            .sorted { $0.digest.description < $1.digest.description }
        #expect(unused == expected)
        #expect(try file.blobs.digests().count == 3)
        let removed = try file.compact()
        #expect(removed.removedBlobs == 2 && removed.removedBlobBytes == 5)
        #expect(try file.unusedBlobs().blobs.isEmpty)
    }

    @Test("blobs within their grace period are not unused")
    func grace() throws {
        let fresh = try TemporaryStore(options: TransferFixture.options())
        _ = try fresh.file.blobs.put([1])
        #expect(try fresh.file.unusedBlobs().blobs.isEmpty)
    }
}
