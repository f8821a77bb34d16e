import DataFileCore
import FleeceLite
import PostgresReplication
import ProjectTestSupport
import Replication
import ReplicationTestSupport
import StoreTestSupport
import Testing

/// Two files that are changed again and again; the first one is behind the proxy.
struct ProxiedPair {
    let first: Device
    let second: Device
    private var expected: Set<String> = []

    init(_ proxy: PostgresProxy, _ server: PostgresServer) async throws {
        let (endpoint, name) = try server.namedEndpoint()
        try await endpoint.prepare()
        first = try Device(proxy.endpoint(schema: name))
        second = try Device(endpoint)
    }

    /// Changes both: documents of each, one with a blob, and a conflict.
    mutating func change(_ number: Int) async throws {
        try await change(first, "first", number)
        try await change(second, "second", number)
        try await second.replicate()
    }

    /// Changes the first one only.
    mutating func changeFirst() async throws { try await change(first, "first", 1) }

    private mutating func change(
        _ device: Device, _ name: String, _ number: Int
    ) async throws {
        let blob = try device.store.file.blobs.put(Array("\(name) \(number)".utf8))
        let ids = ["\(name)-\(number)", name, "both"]
        try await device.store.file.write { transaction in
            for id in ids {
                _ = try Device.people.save(id, in: transaction) { encoder in
                    encoder.beginDictionary()
                    try encoder.writeKey("n")
                    encoder.writeInt(Int64(number))
                    try encoder.writeKey("file")
                    try encoder.write(blob)
                    try encoder.endDictionary()
                }
            }
        }
        expected.formUnion(ids)
    }

    /// Saves many documents in the second one, and sends them.
    mutating func fillSecond(_ count: Int) async throws {
        let ids = (0..<count).map { "doc-\($0)" }
        try await second.store.file.write { transaction in
            for id in ids {
                _ = try Device.people.save(id, in: transaction) {
                    try $0.writeJSON(#"{"id": "\#(id)"}"#)
                }
            }
        }
        expected.formUnion(ids)
        try await second.replicate()
    }

    /// Replicates both without faults, and compares them with what was saved.
    func settle(_ comment: Comment) async throws {
        for device in [first, second] {
            let report = try await device.replicate()
            #expect(report.rejectionCount == 0, comment)
        }
        let report = try await first.replicate()
        #expect(report.pushed == 0, comment)
        let contents = try await first.contents()
        #expect(try await second.contents() == contents, comment)
        let ids = contents.compactMap { $0.split(separator: " ").first.map { String($0) } }
        #expect(Set(ids) == expected && ids.count == expected.count, comment)
    }
}

/// What a server sends instead of a message.
struct Noise: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]

    static let all = [
        Noise(testDescription: "bytes without a form", bytes: [UInt8](repeating: 0xFF, count: 64)),
        Noise(testDescription: "a page of the web", bytes: Array("HTTP/1.1 400 Bad Request".utf8)),
        // A row of data of a gigabyte, of which a part arrives.
        Noise(
            testDescription: "a message of a gigabyte",
            bytes: [UInt8(ascii: "D"), 0x3F, 0xFF, 0xFF, 0xFF, 0, 1, 0, 0, 0, 1]),
        Noise(
            testDescription: "a message of an unknown type",
            bytes: [UInt8(ascii: "%"), 0, 0, 0, 8, 1, 2, 3, 4]),
        Noise(
            testDescription: "a row with a length that is not possible",
            bytes: [UInt8(ascii: "D"), 0, 0, 0, 10, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]),
        Noise(testDescription: "a message of no length", bytes: [UInt8(ascii: "Z"), 0, 0, 0, 0]),
    ]
}
