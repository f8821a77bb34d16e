import CouchbaseReplication
import DataFileCore
import FleeceLite
import Replication
import ReplicationTestSupport
import StoreFormat
import StoreTestSupport
import Testing

@Suite("What is replicated with a listener", .timeLimit(.minutes(20)))
struct DirectionTests {
    @Test("is only what the direction allows")
    func directions() async throws {
        try await Listening.run { listening in
            var first = try Device(listening.endpoint)
            try await first.save("mine", #"{"a":1}"#)
            try await listening.device.save("theirs", #"{"a":1}"#)
            first.settings.direction = .push
            #expect(try await first.replicate().pulled == 0)
            #expect(try await first.body("theirs") == nil)
            #expect(try await listening.device.body("mine") == #"{"a":1}"#)
            first.settings.direction = .pull
            #expect(try await first.replicate().pulled == 1)
            #expect(try await first.body("theirs") == #"{"a":1}"#)
        }
    }

    @Test("is only what the filters and the IDs allow")
    func filters() async throws {
        try await Listening.run { listening in
            var first = try Device(listening.endpoint)
            first.settings.documentIDs = ["a", "b", "c", "d"]
            first.settings.pushFilter = { $0["n"]?.int == 1 }
            first.settings.pullFilter = { $0["n"]?.int == 2 }
            for (id, number) in [("a", 1), ("b", 2), ("e", 1)] {
                try await first.save(id, #"{"n": \#(number)}"#)
            }
            for (id, number) in [("c", 2), ("d", 1), ("f", 2)] {
                try await listening.device.save(id, #"{"n": \#(number)}"#)
            }
            let report = try await first.replicate()
            #expect(report.pushed == 1 && report.pulled == 1, "\(report)")
            #expect(try await listening.device.body("a") == #"{"n":1}"#)
            #expect(try await listening.device.body("b") == nil)
            #expect(try await first.body("c") == #"{"n":2}"#)
            #expect(try await first.body("f") == nil)
        }
    }

    @Test("are several collections, each with its own checkpoint")
    func collections() async throws {
        try await Listening.run { listening in
            let names = try ["_default", "staff", "hr.people"].map { try CollectionName($0) }
            let store = try TemporaryStore()
            for file in [store.file, listening.store.file] {
                try await file.write { transaction in
                    for name in names {
                        try DocumentCollection(name).create(in: transaction)
                    }
                }
            }
            try await store.file.write { transaction in
                for name in names {
                    _ = try DocumentCollection(name).save("ada", in: transaction) {
                        try $0.writeJSON(#"{"in": "\#(name)"}"#)
                    }
                }
            }
            let replicator = Replicator(
                store.file, to: listening.endpoint,
                collections: names.map { ReplicatedCollection(DocumentCollection($0)) })
            #expect(try await replicator.run().pushed == 3)
            for name in names {
                let collection = DocumentCollection(name)
                let contents = try await store.file.contents(of: collection)
                #expect(try await listening.store.file.contents(of: collection) == contents)
            }
            #expect(try await replicator.run().pushed == 0)
        }
    }

    @Test("is an error if the listener does not have the collection")
    func missingCollection() async throws {
        try await Listening.run { listening in
            let store = try TemporaryStore()
            let collection = DocumentCollection(try CollectionName("staff"))
            let replicator = Replicator(
                store.file, to: listening.endpoint,
                collections: [ReplicatedCollection(collection)])
            let error = await #expect(throws: ReplicationError.self) { try await replicator.run() }
            #expect(error?.code == .incompatible)
            #expect(error?.message.contains("staff") ?? false)
        }
    }
}
