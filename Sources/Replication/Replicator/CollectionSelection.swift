internal import DataFileCore

/// Which collections a replicator transfers.
enum CollectionSelection: Sendable {
    case named([ReplicatedCollection])
    /// All that either side has, with the settings that a closure returns.
    case all(@Sendable (DocumentCollection) throws -> ReplicatedCollection?)

    /// The collections that exist now.
    func collections(
        _ file: DataFile, _ session: any ReplicationSession
    ) async throws -> [ReplicatedCollection] {
        guard case .all(let settings) = self else { return named }
        let own = try await file.read { try $0.collectionNames() }
        let others = try await session.collectionNames()
        return try (own + others.filter { !own.contains($0) }).compactMap { name in
            guard let collection = try settings(DocumentCollection(name)) else { return nil }
            // Otherwise there is nothing to transfer, and no need to create it on the other side.
            let isSource =
                collection.pushes && own.contains(name) || collection.pulls && others.contains(name)
            return isSource ? collection : nil
        }
    }

    /// The collections that the file has.
    func collections(_ file: DataFile) async throws -> [ReplicatedCollection] {
        guard case .all(let settings) = self else { return named }
        let own = try await file.read { try $0.collectionNames() }
        return try own.compactMap { try settings(DocumentCollection($0)) }
    }

    /// Those that exist from the start.
    var named: [ReplicatedCollection] {
        if case .named(let collections) = self { collections } else { [] }
    }
}
