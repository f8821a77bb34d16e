import CouchbaseReplication
import DataFileCore
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Large documents with a listener", .timeLimit(.minutes(20)))
struct LargePullTests {
    @Test(
        "Revisions of more bytes than are sent without an answer arrive",
        arguments: [1000, 4000, 20_000, 600_000])
    func pull(size: Int) async throws {
        try await Listening.run { listening in
            let first = try listening.device
            let second = try Device(listening.endpoint)
            let text = String(repeating: "x", count: size)
            let count = size > 100_000 ? 10 : 200
            for number in 0..<count {
                try await first.save("large-\(number)", #"{"text": "\#(text)"}"#)
            }
            let report = try await second.replicate()
            #expect(report.pulled == count, "documents of \(size) bytes")
        }
    }
}
