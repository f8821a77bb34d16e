internal import ArgumentParser
internal import DocumentStore

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
        guard !OpenShell.isOpen, let collection else { return }
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
    var place: CollectionPlace { CollectionPlace(database: database, collection: collection) }

    func validate() throws { try place.validate() }
}
