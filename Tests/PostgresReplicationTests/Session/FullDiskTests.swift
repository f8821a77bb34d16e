import DataFileCore
import FleeceLite
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A full disk", .enabled(if: PostgresServer.isInstalled))
struct FullDiskTests {
    /// Saves documents of 100 KB each that do not compress.
    private static func fill(_ device: Device, _ count: Int) async throws {
        try await device.store.file.write { transaction in
            var random = SeededGenerator(seed: 1)
            for number in 0..<count {
                let text = (0..<6250).map { _ in
                    String(random.next() | 1 << 63, radix: 16)
                }.joined()
                _ = try Device.people.save("doc-\(number)", in: transaction) {
                    try $0.writeJSON(#"{"n": \#(number), "text": "\#(text)"}"#)
                }
            }
        }
    }

    @Test("of the server is an error that passes, after which everything arrives")
    func server() async throws {
        guard ChildProcess.exists("prlimit") else { return }
        let server = try PostgresServer()
        let endpoint = try server.endpoint()
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        try await first.save("ada", #"{"age": 36}"#)
        try await first.replicate()
        try await Self.fill(first, 300)
        // More than a segment of the write-ahead log has, and less than the documents need.
        try server.limitFiles(to: 20_000_000)
        let error = await #expect(throws: ReplicationError.self) { try await first.replicate() }
        #expect(error?.code == .remoteFailure)
        #expect(error?.message.contains("extend file") == true, "\(error as Any)")
        #expect(error?.isTransient == true)
        try await second.replicate()
        #expect(try await second.body("ada") == #"{"age":36}"#)
        try server.limitFiles(to: nil)
        try await first.replicate()
        try await second.replicate()
        let contents = try await first.contents()
        #expect(contents.count == 301)
        #expect(try await second.contents() == contents)
    }

    @Test("of the file is an error, and everything arrives when it is opened again")
    func file() async throws {
        let server = try #require(PostgresServer.shared)
        let endpoint = try server.endpoint()
        try await endpoint.prepare()
        let first = try Device(endpoint)
        try await Self.fill(first, 50)
        try await first.replicate()
        let vfs = try FaultVFS.registered()
        let directory = try TemporaryDirectory()
        try vfs.watch(directory.path)
        defer { vfs.unwatch() }
        func replicate() async throws -> ReplicationReport {
            let options = DataFileOptions(access: .create)
            let file = try DataFile(path: directory("store.cblite2"), options: options)
            defer { file.close() }
            #expect(try await file.integrityCheck().findings.isEmpty)
            let report = try await Replicator(
                file, to: endpoint, collections: [ReplicatedCollection(Device.people)]
            ).run()
            let contents = try await first.contents()
            #expect(try await file.contents(of: Device.people) == contents)
            return report
        }
        for space in [0, 100_000, 1_000_000, 4_000_000] {
            vfs.setSpaceLeft(Int64(space))
            let error = await #expect(throws: StoreError.self) { try await replicate() }
            #expect(error?.description.contains("full") == true, "\(error as Any)")
        }
        vfs.setSpaceLeft(nil)
        #expect(try await replicate().rejectionCount == 0)
    }
}
