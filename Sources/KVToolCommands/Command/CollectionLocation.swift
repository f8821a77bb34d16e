internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// A database, and the collection in it that a command is on.
struct CollectionLocation {
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
    ///
    /// Throws if the database's argument and `--collection` name two; the shell's own collection
    /// gives way to the one that a command names.
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

    /// Throws if the database's argument names a document, for a command on all of a collection:
    /// what it says must not be passed over.
    func requireNoDocument() throws { try database.address.requireNoDocument() }
}

extension DatabaseAddress {
    /// Throws if it names another collection than an option does; in a shell, whose address is
    /// where it stands, the option counts.
    ///
    /// - Parameter name: what the name in the address means.
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
            "\(Text.line(path))//\(addressed) and --collection \(chosen) are two collections; "
                + "name one", status: .usage)
    }

    /// Throws if it names a document, for a command on all of a collection.
    func requireNoDocument() throws {
        guard let id else { return }
        throw ToolError(
            "this command is not for one document, but \(Text.line(path))//… names "
                + "\"\(Text.line(id))\"; leave it out", status: .usage)
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
    var place: CollectionLocation { CollectionLocation(database: database, collection: collection) }

    func validate() throws { try place.validate() }
}

/// The options that name a collection, which the database's argument may do, too: see
/// ``CollectionLocation`` and ``OptionalCollectionLocation``.
struct CollectionArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The collection, as NAME or SCOPE.NAME.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: String?

    @Option(name: .long, help: ArgumentHelp("The collection's scope.", valueName: "name"))
    var scope: String?
}

/// A database, and the collection in it that is named; all of them if none is.
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
    var place: OptionalCollectionLocation {
        OptionalCollectionLocation(database: database, collection: collection)
    }

    func validate() throws { try place.validate() }
}
