import DataFileCore
import FleeceLite
import Foundation
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("A blob that could not be transferred", .enabled(if: PostgresServer.isInstalled))
struct BlobRetryTests {
    let server: PostgresServer
    let endpoint: PostgresEndpoint
    let name: String

    init() throws {
        server = try #require(PostgresServer.shared)
        (endpoint, name) = try server.namedEndpoint()
    }

    @discardableResult
    private func save(_ id: String, _ bytes: [UInt8], _ device: Device) async throws -> Blob {
        let blob = try device.store.file.blobs.put(bytes, contentType: "image/png")
        try await save(id, blob, device)
        return blob
    }

    private func save(_ id: String, _ blob: Blob, _ device: Device) async throws {
        try await device.store.file.write { transaction in
            _ = try Device.people.save(id, in: transaction) { encoder in
                encoder.beginDictionary()
                try encoder.writeKey("photo")
                try encoder.write(blob)
                try encoder.endDictionary()
            }
        }
    }

    private func count(_ id: String, _ report: ReplicationReport) -> Int {
        report.rejections.count { $0.id == id }
    }

    @Test("from the server is received by the next replication")
    func damaged() async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let blob = try await save("ada", [1, 2, 3], first)
        try await first.save("bob", "{}")
        try await first.replicate()
        try server.sql("UPDATE \(name).blobs SET bytes = '\\x0909' WHERE piece = 0")
        for pulled in [1, 0] {
            let report = try await second.replicate()
            #expect(report.pulled == pulled && count("ada", report) == 1)
            #expect(report.rejections.first?.reason.contains(blob.digest.description) == true)
            #expect(try await second.body("ada") == nil)
        }
        try server.sql("UPDATE \(name).blobs SET bytes = '\\x010203' WHERE piece = 0")
        let report = try await second.replicate()
        #expect(report.pulled == 1 && report.rejectionCount == 0)
        #expect(try await second.body("ada") == first.body("ada"))
        #expect(try second.store.file.blobs.bytes(of: blob) == [1, 2, 3])
        #expect(try await second.replicate().pulled == 0)
    }

    @Test("because the file has it damaged is sent by another file that has it whole")
    func damagedLocally() async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let blob = try await save("ada", [1, 2, 3], first)
        let directory = URL(filePath: first.store.file.path).appending(path: "Attachments")
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let path = directory.appending(path: try #require(files.first)).path
        try Data([9, 9, 9]).write(to: URL(filePath: path))
        let report = try await first.replicate()
        #expect(report.pushed == 0 && report.rejections.map(\.id) == ["ada"])
        #expect(report.rejections.first?.reason.contains("is damaged") == true)
        // Another file with the same photo is not told that the server has it.
        try await save("bob", [1, 2, 3], second)
        #expect(try await second.replicate().pushed == 1)
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        #expect(try await first.replicate().pushed == 1)
        try await second.replicate()
        #expect(try second.store.file.blobs.bytes(of: blob) == [1, 2, 3])
    }

    @Test("because a filter does not want its document is not received at all")
    func unwanted() async throws {
        try await endpoint.prepare()
        let (first, second) = (
            try Device(endpoint),
            try Device(endpoint) {
                $0.pullFilter = { $0.id == "bob" }
            }
        )
        let blob = try await save("ada", [1, 2, 3], first)
        let wanted = try await save("bob", [4, 5, 6], first)
        try await first.replicate()
        try server.sql("UPDATE \(name).blobs SET bytes = '\\x0909' WHERE digest = '\(blob.digest)'")
        let report = try await second.replicate()
        #expect(report.pulled == 1 && report.rejectionCount == 0)
        #expect(try !second.store.file.blobs.contains(blob))
        #expect(try second.store.file.blobs.bytes(of: wanted) == [4, 5, 6])
    }

    @Test("because the server lacked it is received when it has it")
    func missing() async throws {
        try await endpoint.prepare()
        let (first, second) = (try Device(endpoint), try Device(endpoint))
        let blob = try await save("ada", [1, 2, 3], first)
        try await first.replicate()
        try server.sql(
            """
            CREATE TABLE \(name).kept AS TABLE \(name).blobs; DELETE FROM \(name).blobs;
            """)
        // The document does not wait for it.
        #expect(try await second.replicate().pulled == 1)
        #expect(try !second.store.file.blobs.contains(blob))
        try await second.replicate()
        try server.sql("INSERT INTO \(name).blobs TABLE \(name).kept")
        try await second.replicate()
        #expect(try second.store.file.blobs.bytes(of: blob) == [1, 2, 3])
    }

    @Test("to the server is sent by the next replication, and does not stop other documents")
    func refused() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        try await save("ada", [1, 2, 3], device)
        try await save("bob", [4], device)
        try server.sql(
            "ALTER TABLE \(name).blobs ADD CONSTRAINT small CHECK (octet_length(bytes) < 2)")
        for pushed in [1, 0] {
            let report = try await device.replicate()
            #expect(report.pushed == pushed && count("ada", report) == 1)
            #expect(report.rejections.first?.reason.contains("small") == true)
            #expect(try server.sql("SELECT id FROM \(name).docs") == ["bob"])
        }
        try server.sql("ALTER TABLE \(name).blobs DROP CONSTRAINT small")
        let report = try await device.replicate()
        #expect(report.pushed == 1 && report.rejectionCount == 0)
        #expect(try server.sql("SELECT count(*) FROM \(name).blobs") == ["4"])
        let other = try Device(endpoint)
        #expect(try await other.replicate().pulled == 2)
    }

    @Test("because the file lacked it is sent when it has it")
    func lacking() async throws {
        try await endpoint.prepare()
        let device = try Device(endpoint)
        let source = try TemporaryStore()
        let blob = try source.file.blobs.put([1, 2, 3], contentType: "image/png")
        try await save("ada", blob, device)
        #expect(try await device.replicate().pushed == 1)
        #expect(try server.sql("SELECT count(*) FROM \(name).blobs") == ["0"])
        _ = try device.store.file.blobs.put([1, 2, 3], contentType: "image/png")
        let report = try await device.replicate()
        #expect(report.pushed == 0 && report.rejectionCount == 0)
        #expect(try server.sql("SELECT count(*) FROM \(name).blobs") == ["2"])
    }
}
