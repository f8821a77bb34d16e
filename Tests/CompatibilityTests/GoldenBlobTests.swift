import DocumentStore
import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

@Suite("Blobs of real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenBlobTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let names = ["sample_revtree_503", "sample_vectors_503"]

    private func open(_ name: String) throws -> DataFile {
        var options = DataFileOptions(access: .readWrite)
        options.blobGraceSeconds = 0
        return try DataFile(path: GoldenDatabase.named(name).copy(to: directory), options: options)
    }

    @Test(
        "are found from their documents, and their contents match their digests", arguments: names)
    func read(name: String) throws {
        let file = try open(name)
        let properties = try file.read { snapshot in
            try #require(
                try DocumentCollection(.default).get("with-blob", in: snapshot)?.properties)
        }
        let blob = try #require(properties["photo"]?.blob)
        #expect(blob.digest.description == "sha1-tsgOzj5esl4upx/NQogsyltg9fE=")
        #expect(blob.digest.fileName == "tsgOzj5esl4upx_NQogsyltg9fE=.blob")
        #expect(blob.length == 22 && blob.contentType == "text/plain")
        #expect(Blob.references(in: properties) == [blob])
        try file.blobs.verify(blob)
        #expect(try file.blobs.bytes(of: blob).count == 22)
        #expect(try file.blobs.digests() == [blob.digest])
        // The same contents have the same digest here.
        #expect(try file.blobs.put(file.blobs.bytes(of: blob)).digest == blob.digest)
        #expect(try file.blobs.usage() == (1, 22))
    }

    @Test(
        "are kept by a compaction if documents refer to them, with and without indexes",
        arguments: names)
    func compacted(name: String) throws {
        let file = try open(name)
        let other = try file.blobs.put([1])
        let result = try file.compact()
        #expect(result.removedBlobs == 1 && result.removedBlobBytes == 1)
        #expect(try !file.blobs.contains(other))
        #expect(try file.blobs.usage() == (1, 22))
    }

    @Test("of older schemas are compacted without an upgrade", arguments: GoldenDatabase.all)
    func older(golden: GoldenDatabase) throws {
        let file = try open(golden.name)
        _ = try file.blobs.put([1])
        #expect(try file.compact().removedBlobs == 1)
        let version = file.schemaVersion
        file.close()
        #expect(version == golden.schemaVersion)
        let path = "\(directory.path)/\(golden.name).cblite2"
        #expect(try DataFile(path: path).schemaVersion == golden.schemaVersion)
    }
}
