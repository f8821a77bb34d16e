internal import DataFileCore
internal import FleeceLite
internal import Foundation
package import Replication
package import SampleData
internal import StoreTestSupport
internal import Testing

// Random edits by several devices, which end equal.
extension Device {
    /// Replicates until nothing changes any more. A connection that was ended late is an error.
    package static func settle(_ devices: [Device]) async throws {
        var isChanged = true
        var attempts = 0
        var failure: ReplicationError?
        while isChanged, attempts < 200 {
            attempts += 1
            isChanged = false
            for device in devices {
                do {
                    let report = try await device.replicate()
                    if report.pushed + report.pulled + report.conflictCount > 0 { isChanged = true }
                } catch let error as ReplicationError where error.isTransient {
                    failure = error
                    isChanged = true
                }
            }
        }
        #expect(!isChanged, "the replications do not end: \(failure as Any)")
    }

    /// Adds a property to a document.
    package func add(_ name: String, to id: String) async throws {
        try await store.file.write { transaction in
            var document =
                try Self.people.get(id, in: transaction)?.mutableCopy() ?? MutableDocument(id)
            document[name] = .bool(true)
            _ = try Self.people.save(&document, in: transaction)
        }
    }

    /// A random edit.
    ///
    /// - Parameters:
    ///   - number: the number of the edit.
    ///   - merges: whether it adds a property, so that no edit is lost in a merge; otherwise it
    ///     saves or deletes a document.
    package func edit(
        _ number: Int, merges: Bool, _ random: inout SeededGenerator
    ) async throws {
        let id = "doc-\(random.below(4) == 0 ? random.below(3) : random.below(40))"
        if merges {
            try await add("edit-\(number)", to: id)
        } else if random.below(4) == 0, try await body(id) != nil {
            try await delete(id)
        } else {
            try await save(id, #"{"value": \#(random.below(1000))}"#)
        }
    }

    /// The contents without tombstones.
    package func live() async throws -> [String] {
        try await contents().filter { $0.contains(" false ") }
    }

    /// The names of the properties of all documents.
    package func propertyNames() async throws -> Set<String> {
        try await store.file.read { snapshot in
            var names: Set<String> = []
            let records = try Self.people.keyStore.records(in: snapshot)
            while let record = try records.next() {
                let document = try Document(record, sharedKeys: snapshot.requireSharedKeys())
                names.formUnion(document.properties?.keys ?? [])
            }
            return names
        }
    }

    /// What a new file receives.
    package func received() async throws -> [String] {
        for _ in 0..<100 where (try? await replicate()) != nil { break }
        return try await contents()
    }
}

extension ConflictResolver {
    /// Both sides' properties.
    package static let union = ConflictResolver.custom { local, remote, _ in
        guard let theirs = remote.properties else { return .keepCurrent }
        var merged = MutableFleeceDictionary(theirs)
        for pair in local.properties.map({ Array($0) }) ?? [] { merged[pair.key] = .bool(true) }
        return .merge(merged)
    }
}
