internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// A database and the collection in it that a command works on.
struct CollectionLocation {
    let database: DatabaseArguments
    let collection: CollectionArguments

    /// Whether the arguments name a collection.
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

    /// Returns the collection that the arguments name, or the default collection.
    ///
    /// Throws if the database argument and `--collection` name different collections. In the shell
    /// the option takes precedence over the current collection.
    func named() throws -> DocumentCollection {
        let address = database.address
        guard let option = collection.collection else {
            return DocumentCollection(try full(address.collection ?? "_default"))
        }
        let chosen = try full(option)
        try address.requireSameCollection(chosen, as: full)
        return DocumentCollection(chosen)
    }

    private func full(_ name: String) throws -> CollectionName {
        try CollectionName(argument: collection.scope.map { "\($0).\(name)" } ?? name)
    }

    /// Throws if the database argument names a document, for a command on a whole collection:
    /// ignoring the document ID would be wrong.
    func requireNoDocument() throws { try database.address.requireNoDocument() }
}

extension DatabaseAddress {
    /// Throws if the address names a different collection than an option does. In a shell, whose
    /// address is the current location, the option takes precedence.
    ///
    /// - Parameter name: resolves the collection name in the address.
    func requireSameCollection(
        _ chosen: CollectionName,
        as name: (String) throws -> CollectionName = { try CollectionName(argument: $0) }
    ) throws {
        guard !OpenShell.current.isOpen, let collection else { return }
        let addressed =
            try collection.contains(".")
            ? CollectionName(argument: collection) : name(collection)
        guard addressed != chosen else { return }
        throw ToolError(
            "\(Text.line(path))//\(addressed) and --collection \(chosen) are different "
                + "collections; name one", status: .usage)
    }

    /// Throws if the address names a document, for a command on a whole collection.
    func requireNoDocument() throws {
        guard let id else { return }
        throw ToolError(
            "this command does not work on one document, but \(Text.line(path))//… names "
                + "\"\(Text.line(id))\"; leave it out", status: .usage)
    }
}

/// A command on one collection.
///
/// A `validate()` of the command's own calls that of `location` first.
protocol CollectionCommand: ToolCommand {
    var database: DatabaseArguments { get }
    var collection: CollectionArguments { get }
}

extension CollectionCommand {
    var location: CollectionLocation {
        CollectionLocation(database: database, collection: collection)
    }

    func validate() throws { try location.validate() }
}

/// The options that name a collection, which the database argument may name as well: see
/// ``CollectionLocation`` and ``OptionalCollectionLocation``.
struct CollectionArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The collection, as NAME or SCOPE.NAME.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: String?

    @Option(name: .long, help: ArgumentHelp("The scope of the collection.", valueName: "name"))
    var scope: String?
}

/// A database and the collection in it that the arguments name, or all collections.
struct OptionalCollectionLocation {
    private let one: CollectionLocation

    init(database: DatabaseArguments, collection: CollectionArguments) {
        one = CollectionLocation(database: database, collection: collection)
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

    /// Returns the collection that the arguments name, nil for all.
    func named() throws -> DocumentCollection? { one.isGiven ? try one.named() : nil }

    /// Returns the collection that the arguments name, nil for all; throws if it does not exist.
    func collection(in snapshot: Snapshot) throws -> DocumentCollection? {
        guard let collection = try named() else { return nil }
        guard try collection.exists(in: snapshot) else {
            throw ToolError(
                "\(database.path) has no collection \(collection.name)", status: .notFound)
        }
        return collection
    }

    /// Returns the collection that the arguments name, or all collections of the file.
    func collections(in snapshot: Snapshot) throws -> [DocumentCollection] {
        try collection(in: snapshot).map { [$0] }
            ?? snapshot.collectionNames().map { DocumentCollection($0) }
    }
}

/// A command on all collections unless the arguments name one: an index name alone identifies
/// an index.
///
/// A `validate()` of the command's own calls that of `location` first.
protocol AllCollectionsCommand: ToolCommand {
    var database: DatabaseArguments { get }
    var collection: CollectionArguments { get }
}

extension AllCollectionsCommand {
    var location: OptionalCollectionLocation {
        OptionalCollectionLocation(database: database, collection: collection)
    }

    func validate() throws { try location.validate() }
}
