internal import ArgumentParser
internal import DocumentStore

/// A database, and the collection in it that is named; all of them if none is.
struct AllCollectionsPlace {
    private let one: CollectionPlace

    init(database: DatabaseArguments, collection: CollectionArguments) {
        one = CollectionPlace(database: database, collection: collection)
    }

    var database: DatabaseArguments { one.database }

    func validate() throws {
        try one.validate()
        do {
            try one.requireNoDocument()
        } catch let error as ToolError {
            throw ValidationError(error.message)
        }
    }

    /// The collection that is named; nil for any.
    func named() throws -> DocumentCollection? { one.isGiven ? try one.named() : nil }

    /// The collection that is named, which must be there; nil for any.
    func collection(in snapshot: Snapshot) throws -> DocumentCollection? {
        guard let collection = try named() else { return nil }
        guard try collection.exists(in: snapshot) else {
            throw ToolError(
                "\(database.path) has no collection \(collection.name)", status: .notFound)
        }
        return collection
    }

    /// The collection that is named, all of the file if none is.
    func collections(in snapshot: Snapshot) throws -> [DocumentCollection] {
        try collection(in: snapshot).map { [$0] }
            ?? snapshot.collectionNames().map { DocumentCollection($0) }
    }
}

/// A command that looks at all collections unless one is named: an index is found by its name
/// alone.
///
/// One with a `validate()` of its own begins it with that of `place`.
protocol AllCollectionsCommand: ToolCommand {
    var database: DatabaseArguments { get }
    var collection: CollectionArguments { get }
}

extension AllCollectionsCommand {
    var place: AllCollectionsPlace {
        AllCollectionsPlace(database: database, collection: collection)
    }

    func validate() throws { try place.validate() }
}
