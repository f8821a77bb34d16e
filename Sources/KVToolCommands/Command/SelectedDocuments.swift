internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// The documents that a command works on.
struct SelectedDocuments {
    let location: CollectionLocation
    let arguments: SelectionArguments

    /// A document that the arguments select.
    typealias Choice = DocumentSelection.Choice

    func validate() throws {
        try location.validate()
        guard isGiven else {
            throw ValidationError("no document is selected; use an ID, --ids-from or --where")
        }
    }

    /// Whether the arguments select documents.
    var isGiven: Bool {
        !arguments.ids.isEmpty || arguments.idsFrom != nil || arguments.condition != nil
            || location.database.address.id != nil
    }

    /// Returns the selection, with the IDs of the file, which this reads.
    func selection() throws -> DocumentSelection {
        try DocumentSelection(
            names: [location.database.address.id].compactMap(\.self) + arguments.ids,
            file: arguments.idsFrom, condition: arguments.condition,
            hasPatterns: !arguments.literal)
    }

    /// Calls `body` with the selected documents, in the order of the arguments, those of a pattern
    /// in the order of their IDs; each once.
    ///
    /// - Parameters:
    ///   - selection: the selection, if it has been read before.
    ///   - includesDeleted: whether patterns and IDs also select tombstones.
    /// - Returns: Whether the condition encountered documents with unreadable bodies.
    func forEach(
        of selection: DocumentSelection? = nil, in snapshot: Snapshot,
        includesDeleted: Bool = false, _ body: (Choice) throws -> Void
    ) throws -> Bool {
        let collection = try location.named()
        guard try collection.exists(in: snapshot) else {
            throw ToolError(
                "\(location.database.path) has no collection \(collection.name)", status: .notFound)
        }
        let selection = try selection ?? self.selection()
        return try selection.forEach(in: collection, snapshot, includesDeleted: includesDeleted) {
            try body($0)
            return true
        }
    }

    /// Returns the selected documents as a list, for commands that change them.
    ///
    /// Throws if the condition encountered documents with unreadable bodies.
    func choices(
        of selection: DocumentSelection? = nil, in snapshot: Snapshot, includesDeleted: Bool = false
    ) throws -> [Choice] {
        let selection = try selection ?? self.selection()
        var choices: [Choice] = []
        let hasMetDamage = try forEach(
            of: selection, in: snapshot, includesDeleted: includesDeleted
        ) { choices.append($0) }
        if hasMetDamage { try UnreadableBodies.refuse() }
        if arguments.condition != nil, selection.isOpen {
            try requireReadable(choices, in: snapshot)
        }
        return choices
    }

    /// Checks the bodies of the documents that a condition selects: the query reads only the
    /// properties that it uses, and a damaged one is missing for it.
    ///
    /// Documents that are named individually may be damaged: to purge them is a remedy.
    private func requireReadable(_ choices: [Choice], in snapshot: Snapshot) throws {
        let collection = try location.named()
        for case .id(let id) in choices {
            try UnreadableBodies.requireReadable(id, collection, in: snapshot)
        }
    }
}

/// A command on selected documents of a collection.
///
/// A `validate()` of the command's own calls that of `documents` first.
protocol SelectionCommand: CollectionCommand {
    var selection: SelectionArguments { get }
}

extension SelectionCommand {
    var documents: SelectedDocuments { SelectedDocuments(location: location, arguments: selection) }

    func validate() throws { try documents.validate() }
}

/// The arguments that select documents of a collection. See ``SelectedDocuments``.
struct SelectionArguments: ParsableArguments {
    @Argument(
        help: """
            Document IDs; * and ? are wildcards, \\ escapes a character.
            """,
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var ids: [String] = []

    @Option(
        name: .customLong("ids-from"),
        help: ArgumentHelp(
            "Include only the IDs in this file, one per line; - is standard input.",
            valueName: "file"),
        completion: .file())
    var idsFrom: String?

    @Option(
        name: .customLong("where"),
        parsing: .unconditional,
        help: ArgumentHelp(
            "Include only documents matching this SQL++ condition.", valueName: "condition"))
    var condition: String?

    @Flag(help: "Do not interpret * ? and \\ in IDs.") var literal = false

    /// The error for an empty ID: a document ID has 1 to 240 bytes.
    static let emptyID = "a document ID must not be empty"

    func validate() throws {
        guard !ids.contains("") else { throw ValidationError(Self.emptyID) }
    }
}
