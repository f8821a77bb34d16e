internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import PostgresReplication
internal import Replication

/// Which documents are replicated.
struct SyncSettings {
    var collections: [ReplicatedCollection] = []
    fileprivate var conditions: [RevisionFilter] = []

    /// Throws the error of a document for which the condition could not be evaluated.
    func check() throws {
        if let error = conditions.compactMap(\.error).first { throw error }
    }
}

/// The arguments that say which documents are replicated.
struct SyncSelection: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Collection, as NAME or SCOPE.NAME; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: [String] = []
    @Flag(help: "Only send changes to the server.") var push = false
    @Flag(help: "Only receive changes of the server.") var pull = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Include only documents matching this SQL++ condition.", valueName: "condition"))
    var filter: String?

    func validate() throws {
        guard !(push && pull) else {
            throw ValidationError(
                "--push and --pull exclude each other; without them both are done")
        }
    }

    /// The settings of the collections that the arguments name, or of all.
    ///
    /// - Parameter others: the names of collections that the server has.
    func settings(
        _ database: DatabaseArguments, _ file: DataFile, others: [CollectionName] = []
    ) throws -> SyncSettings {
        let direction: ReplicatedCollection.Direction = push ? .push : pull ? .pull : .both
        var result = SyncSettings()
        for name in try names(database, file, others) {
            var settings = ReplicatedCollection(DocumentCollection(name), direction: direction)
            if let filter {
                let condition = try RevisionFilter(filter, name)
                settings.pushFilter = { condition.accepts($0.id, $0.properties) }
                settings.pullFilter = settings.pushFilter
                settings.filterName = filter
                result.conditions.append(condition)
            }
            result.collections.append(settings)
        }
        return result
    }

    /// The collections of the server, if all are received.
    func others(_ database: DatabaseArguments, _ endpoint: PostgresEndpoint) async throws
        -> [CollectionName]
    {
        guard collection.isEmpty, database.address.collection == nil, !push else { return [] }
        return try await SyncFailure.converting { try await endpoint.collectionNames() }
    }

    private func names(
        _ database: DatabaseArguments, _ file: DataFile, _ others: [CollectionName]
    ) throws -> [CollectionName] {
        let names = try NamedCollections(database: database, collection: collection).named()
        guard names.isEmpty else { return names }
        let own = try file.read { try $0.collectionNames() }
        return own + others.filter { !own.contains($0) }
    }
}
