import CouchbaseReplication
import DataFileCore
import FleeceLite
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Blobs that are replicated with a listener", .timeLimit(.minutes(20)))
struct BlobTests {
    private func bytes(_ count: Int, _ seed: UInt64 = 1) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test(
        "arrive with their documents, whatever their size and type",
        arguments: [0, 1, 50_000, 3_000_000], ["image/png", "text/plain", nil])
    func arrive(size: Int, type: String?) async throws {
        try await Listening.run { listening in
            let first = try Device(listening.endpoint)
            let second = try Device(listening.endpoint)
            let bytes = bytes(size)
            let blob = try first.store.file.blobs.put(bytes, contentType: type)
            try await first.store.file.write { transaction in
                var document = MutableDocument("ada")
                document["photo"] = MutableFleeceValue(blob)
                _ = try Device.people.save(&document, in: transaction)
            }
            #expect(try await first.replicate().pushed == 1)
            #expect(try listening.store.file.blobs.bytes(of: blob) == bytes)
            #expect(try await second.replicate().pulled == 1)
            #expect(try second.store.file.blobs.bytes(of: blob) == bytes)
            #expect(try await second.contents() == first.contents())
        }
    }

    @Test("that are missing leave their document out, and it arrives when they are there")
    func missing() async throws {
        try await Listening.run { listening in
            let first = try Device(listening.endpoint)
            let other = try TemporaryStore()
            let blob = try other.file.blobs.put([1, 2, 3], contentType: "image/png")
            try await first.store.file.write { transaction in
                for id in ["ada", "bob"] {
                    var document = MutableDocument(id)
                    if id == "ada" { document["photo"] = MutableFleeceValue(blob) }
                    _ = try Device.people.save(&document, in: transaction)
                }
            }
            let report = try await first.replicate()
            #expect(report.pushed == 1 && report.rejections.map(\.id) == ["ada"], "\(report)")
            _ = try first.store.file.blobs.put([1, 2, 3], contentType: "image/png")
            #expect(try await first.replicate().pushed == 1)
            #expect(try listening.store.file.blobs.bytes(of: blob) == [1, 2, 3])
        }
    }
}
