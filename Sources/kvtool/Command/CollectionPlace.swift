internal import ArgumentParser
internal import DataFileCore

/// A database, and the collection in it that a command is on.
struct CollectionPlace {
    let database: DatabaseArguments
    let collection: CollectionArguments

    /// Whether anything says which collection.
    var isGiven: Bool {
        collection.collection != nil || collection.scope != nil
            || database.address.collection != nil
    }

    func validate() throws {
        do {
            _ = try named()
        } catch let error as ToolError {
            throw ValidationError(error.message)
        }
    }

    /// The collection that is meant.
    func named() throws -> Collection {
        let name = collection.collection ?? database.address.collection ?? "_default"
        return Collection(
            try CollectionName(argument: collection.scope.map { "\($0).\(name)" } ?? name))
    }
}

/// A command on a collection.
///
/// One with a `validate()` of its own begins it with that of `place`.
protocol CollectionCommand: ToolCommand {
    var database: DatabaseArguments { get }
    var collection: CollectionArguments { get }
}

extension CollectionCommand {
    var place: CollectionPlace { CollectionPlace(database: database, collection: collection) }

    func validate() throws { try place.validate() }
}
