internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import PostgresReplication
internal import Replication
internal import StorePlatform

/// The settings of collections that are replicated.
final class SyncSettings: Sendable {
    private let direction: ReplicatedCollection.Direction
    private let filter: String?
    private let resolver: ConflictResolver
    private let conditions = Locked<[CollectionName: RevisionFilter]>([:])

    init(
        _ direction: ReplicatedCollection.Direction, filter: String?, _ resolver: ConflictResolver
    ) {
        self.direction = direction
        self.filter = filter
        self.resolver = resolver
    }

    /// The settings of a collection. Throws if the condition is wrong.
    func settings(of name: CollectionName) throws -> ReplicatedCollection {
        var settings = ReplicatedCollection(
            DocumentCollection(name), direction: direction, resolver: resolver)
        guard let filter else { return settings }
        let condition = try conditions.withLock { conditions in
            let condition = try conditions[name] ?? RevisionFilter(filter, name)
            conditions[name] = condition
            return condition
        }
        settings.pushFilter = { try condition.accepts($0.id, $0.properties) }
        settings.pullFilter = settings.pushFilter
        settings.filterName = filter
        return settings
    }
}

/// The arguments that say in which direction documents are replicated.
struct SyncDirection: ParsableArguments {
    @Flag(help: "Only send changes to the server.") var push = false
    @Flag(help: "Only receive changes of the server.") var pull = false

    var value: ReplicatedCollection.Direction { push ? .push : pull ? .pull : .both }

    func validate() throws {
        guard !(push && pull) else {
            throw ValidationError(
                "--push and --pull exclude each other; without them both are done")
        }
    }

}

/// The arguments that say which documents are replicated.
struct SyncDocuments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Collection, as NAME or SCOPE.NAME; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Include only documents matching this SQL++ condition.", valueName: "condition"))
    var filter: String?

    /// Settings for the collections. Throws if the condition is wrong.
    func settings(
        _ database: DatabaseArguments, _ direction: ReplicatedCollection.Direction,
        _ resolver: ConflictResolver = .lastWriterWins
    ) throws -> SyncSettings {
        let settings = SyncSettings(direction, filter: filter, resolver)
        // Before anything is opened or created.
        _ = try settings.settings(of: names(database).first ?? .default)
        return settings
    }

    /// A replicator of the collections that the arguments name, or of all.
    func replicator(
        _ database: DatabaseArguments, _ file: DataFile, _ endpoint: any ReplicationEndpoint,
        _ settings: SyncSettings
    ) throws -> Replicator {
        let names = try names(database)
        guard names.isEmpty else {
            return Replicator(
                file, to: endpoint, collections: try names.map { try settings.settings(of: $0) })
        }
        return Replicator(file, to: endpoint) { try settings.settings(of: $0.name) }
    }

    /// Throws if neither side has one of the collections that the arguments name.
    ///
    /// - Parameters:
    ///   - pulls: whether a collection of the server is enough.
    ///   - waits: whether to go on if the server cannot be reached.
    func requireExisting(
        _ database: DatabaseArguments, _ file: DataFile, _ endpoint: any ReplicationEndpoint,
        pulls: Bool, waits: Bool = false
    ) async throws {
        let own = try await file.read { try $0.collectionNames() }
        let missing = try names(database).filter { !own.contains($0) }
        // A server of Couchbase cannot tell which it has; it reports those that it lacks.
        guard !missing.isEmpty, let endpoint = endpoint as? PostgresEndpoint else { return }
        do {
            let others = pulls ? try await endpoint.collectionNames() : []
            guard let name = missing.first(where: { !others.contains($0) }) else { return }
            let path = Text.line(file.path)
            throw ToolError(
                pulls
                    ? "neither \(path) nor the server has a collection \(name)"
                    : "\(path) has no collection \(name)",
                status: .notFound)
        } catch let error as ReplicationError where waits && error.isTransient {
            // Without an answer the name may be right.
        } catch let error as ReplicationError {
            throw SyncFailure.toolError(error)
        }
    }

    private func names(_ database: DatabaseArguments) throws -> [CollectionName] {
        try NamedCollections(database: database, collection: collection).named()
    }
}
