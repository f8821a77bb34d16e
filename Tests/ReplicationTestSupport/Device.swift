package import DataFileCore
internal import FleeceLite
package import Replication
package import StoreFormat
package import StoreTestSupport
internal import Testing

/// A file that is replicated with a server.
package struct Device: Sendable {
    package static let people = DocumentCollection(CollectionName.default)

    package let store: TemporaryStore
    package var endpoint: any ReplicationEndpoint
    package var settings = ReplicatedCollection(people)

    package init(
        _ endpoint: any ReplicationEndpoint, versioning: Versioning = .versionVectors,
        _ change: (inout ReplicatedCollection) -> Void = { _ in }
    ) throws {
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        try self.init(endpoint, store: TemporaryStore(options: options))
        change(&settings)
    }

    package init(_ endpoint: any ReplicationEndpoint, store: TemporaryStore) throws {
        self.store = store
        self.endpoint = endpoint
    }

    @discardableResult
    package func replicate(
        _ observe: @escaping @Sendable (ReplicatorStatus) -> Void = { _ in }
    ) async throws -> ReplicationReport {
        try await Replicator(store.file, to: endpoint, collections: [settings]).run(observe)
    }

    package func save(_ id: String, _ json: String) async throws {
        try await store.file.write { transaction in
            _ = try Self.people.save(id, in: transaction) { try $0.writeJSON(json) }
        }
    }

    package func delete(_ id: String) async throws {
        try await store.file.write { _ = try Self.people.delete(id, in: $0) }
    }

    /// The body of a document in canonical JSON; nil if it does not exist.
    package func body(_ id: String) async throws -> String? {
        try await store.file.read { snapshot in
            try Self.people.get(id, in: snapshot)?.body?.root.json(.init(canonical: true))
        }
    }

    /// The ID, revision and body of each document and tombstone.
    package func contents() async throws -> [String] {
        try await store.file.contents(of: Self.people)
    }
}

extension DataFile {
    /// The ID, revision and body of each document and tombstone.
    package func contents(of collection: DocumentCollection) async throws -> [String] {
        try await read { snapshot in
            let peer = try VersionVector.PeerID(#require(snapshot.fileInfo().publicUUID))
            var options = RecordEnumerator.Options()
            options.includesDeleted = true
            let records = try collection.keyStore.records(options, in: snapshot)
            var lines: [String] = []
            while let record = try records.next() {
                let history = try #require(
                    try collection.history(of: record.key, in: snapshot))
                let item = try #require(try history.revisionList().first { $0.isCurrent })
                var revision = item.id.description
                if case .vector(let vector) = item.id {
                    revision = vector.globalized(local: peer).text
                }
                // A tombstone has an empty body or none.
                let body = try item.properties?.value.json(.init(canonical: true)) ?? "{}"
                lines.append("\(record.key) \(revision) \(item.isDeleted) \(body)")
            }
            return lines.sorted()
        }
    }
}
