import CouchbaseReplication
import DataFileCore
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Replication with a listener", .timeLimit(.minutes(20)))
struct LoopbackTests {
    private func expectEqual(_ device: Device, _ other: Device) async throws {
        let (contents, others) = (try await device.contents(), try await other.contents())
        #expect(contents == others, "\(contents)\n\(others)")
    }

    @Test(
        "sends the documents of one file to another one",
        arguments: [Versioning.versionVectors, .treesInExtra])
    func twoFiles(versioning: Versioning) async throws {
        try await Listening.run(versioning: versioning) { listening in
            let endpoint = listening.endpoint
            let first = try Device(endpoint, versioning: versioning)
            let second = try Device(endpoint, versioning: versioning)
            for number in 0..<1000 {
                try await first.save("person-\(number)", #"{"age": \#(number)}"#)
            }
            let pushed = try await first.replicate()
            #expect(pushed.pushed == 1000 && pushed.pulled == 0, "\(pushed)")
            try await expectEqual(first, listening.device)
            let pulled = try await second.replicate()
            #expect(pulled.pulled == 1000 && pulled.pushed == 0, "\(pulled)")
            try await expectEqual(first, second)
            let again = try await first.replicate()
            #expect(again.pushed == 0 && again.pulled == 0)
        }
    }

    @Test("keeps documents apart whose IDs look the same")
    func equivalentIDs() async throws {
        try await Listening.run { listening in
            let first = try Device(listening.endpoint)
            let second = try Device(listening.endpoint)
            // One character, and two that stand for it.
            try await first.save("caf\u{E9}", #"{"n": 1}"#)
            try await first.save("cafe\u{301}", #"{"n": 2}"#)
            #expect(try await first.replicate().pushed == 2)
            #expect(try await second.replicate().pulled == 2)
            try await expectEqual(first, second)
        }
    }

    @Test("sends changes and deletions", arguments: [Versioning.versionVectors, .treesInExtra])
    func changes(versioning: Versioning) async throws {
        try await Listening.run(versioning: versioning) { listening in
            let first = try Device(listening.endpoint, versioning: versioning)
            let second = try Device(listening.endpoint, versioning: versioning)
            try await first.save("ada", #"{"age": 36}"#)
            try await first.save("bob", #"{"age": 40}"#)
            try await first.replicate()
            try await second.replicate()
            try await second.save("ada", #"{"age": 37}"#)
            try await second.delete("bob")
            let pushed = try await second.replicate()
            #expect(pushed.pushed == 2)
            let pulled = try await first.replicate()
            #expect(pulled.pulled == 2 && pulled.pushed == 0 && pulled.conflictCount == 0)
            #expect(try await first.body("ada") == #"{"age":37}"#)
            #expect(try await first.body("bob") == nil)
            try await expectEqual(first, second)
        }
    }

    @Test(
        "resolves a conflict alike everywhere",
        arguments: [Versioning.versionVectors, .treesInExtra])
    func conflict(versioning: Versioning) async throws {
        try await Listening.run(versioning: versioning) { listening in
            let devices = try (0..<3).map { _ in
                try Device(listening.endpoint, versioning: versioning)
            }
            try await devices[0].save("ada", #"{"age": 36}"#)
            for device in devices { try await device.replicate() }
            for (number, device) in devices.enumerated() {
                try await device.save("ada", #"{"age": \#(40 + number)}"#)
            }
            var conflicts = 0
            for _ in 0..<2 {
                for device in devices { conflicts += try await device.replicate().conflictCount }
            }
            #expect(conflicts >= 2)
            try await expectEqual(devices[0], devices[1])
            try await expectEqual(devices[0], devices[2])
            try await expectEqual(devices[0], listening.device)
        }
    }
}
