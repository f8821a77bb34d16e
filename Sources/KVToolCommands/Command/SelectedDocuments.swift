internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The documents of a collection that a command is on.
struct SelectedDocuments {
    let place: CollectionLocation
    let arguments: SelectionArguments

    /// A document that was asked for.
    typealias Choice = DocumentSelection.Choice

    func validate() throws {
        try place.validate()
        guard isGiven else {
            throw ValidationError("no document is named: give an ID, --ids-from or --where")
        }
    }

    /// Whether anything says which documents.
    var isGiven: Bool {
        !arguments.ids.isEmpty || arguments.idsFrom != nil || arguments.condition != nil
            || place.database.address.id != nil
    }

    /// What was asked for, with the ids of the file, which is read here.
    func selection() throws -> DocumentSelection {
        try DocumentSelection(
            names: [place.database.address.id].compactMap(\.self) + arguments.ids,
            file: arguments.idsFrom, condition: arguments.condition)
    }

    /// The documents that are meant, in the order in which they are named, those of a pattern in
    /// the order of their ids; each once.
    ///
    /// - Parameters:
    ///   - selection: what was asked for, where it was read before.
    ///   - includesDeleted: whether patterns mean tombstones, too, and an id of one is not missing.
    /// - Returns: Whether the condition has met documents with bodies that cannot be read.
    func forEach(
        of selection: DocumentSelection? = nil, in snapshot: Snapshot,
        includesDeleted: Bool = false, _ body: (Choice) throws -> Void
    ) throws -> Bool {
        let collection = try place.named()
        guard try collection.exists(in: snapshot) else {
            throw ToolError(
                "\(place.database.path) has no collection \(collection.name)", status: .notFound)
        }
        let selection = try selection ?? self.selection()
        return try selection.forEach(in: collection, snapshot, includesDeleted: includesDeleted) {
            try body($0)
            return true
        }
    }

    /// The same as a list, for what changes them.
    ///
    /// Throws if the condition has met bodies that cannot be read.
    func choices(
        of selection: DocumentSelection? = nil, in snapshot: Snapshot, includesDeleted: Bool = false
    ) throws -> [Choice] {
        var choices: [Choice] = []
        let hasMetDamage = try forEach(
            of: selection, in: snapshot, includesDeleted: includesDeleted
        ) { choices.append($0) }
        if hasMetDamage { try UnreadableBodies.refuse() }
        return choices
    }
}

/// A command on some documents of a collection.
///
/// One with a `validate()` of its own begins it with that of `documents`.
protocol SelectionCommand: CollectionCommand {
    var selection: SelectionArguments { get }
}

extension SelectionCommand {
    var documents: SelectedDocuments { SelectedDocuments(place: place, arguments: selection) }

    func validate() throws { try documents.validate() }
}

/// The arguments that say which documents of a collection a command is on. See
/// ``SelectedDocuments``.
struct SelectionArguments: ParsableArguments {
    @Argument(
        help: """
            The ids of the documents; * and ? stand for any characters, \\ for the one after it.
            """,
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var ids: [String] = []

    @Option(
        name: .customLong("ids-from"),
        help: ArgumentHelp(
            "Only ids of this file, one a line; - is standard input.", valueName: "file"),
        completion: .file())
    var idsFrom: String?

    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp("Only documents that meet this SQL++ condition.", valueName: "condition")
    )
    var condition: String?

    /// Why `""` is refused: a document's id is 1 to 240 bytes.
    static let emptyID = "\"\" is no id: a document's id is never empty"

    func validate() throws {
        guard !ids.contains("") else { throw ValidationError(Self.emptyID) }
    }
}
