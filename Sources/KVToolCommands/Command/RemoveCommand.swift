internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// Deletes or purges documents, in one transaction.
struct DocumentRemoval {
    private let documents: SelectedDocuments
    private let upgrade: UpgradeArguments
    private let arguments: ChangeArguments
    private let output: OutputArguments

    init(
        _ documents: SelectedDocuments, _ upgrade: UpgradeArguments,
        _ arguments: ChangeArguments, _ output: OutputArguments
    ) {
        self.documents = documents
        self.upgrade = upgrade
        self.arguments = arguments
        self.output = output
    }

    /// What to do with the documents.
    enum Change: Sendable {
        case delete, purge

        var name: String { self == .delete ? "deleted" : "purged" }
        var title: String { self == .delete ? "Deleted" : "Purged" }
        /// Why confirmation is required.
        var reason: String {
            self == .delete
                ? "this deletes documents that were not named individually"
                : "a purge leaves no tombstone, so replication does not propagate it"
        }
    }

    /// The outcome for one document.
    private struct Done: Sendable {
        let id: String
        let isFound: Bool
        var saved: DocumentCollection.Saved?
    }

    /// Changes the documents in one transaction, then reports the outcome for each, and those
    /// that do not exist.
    func run(_ change: Change) async throws {
        let chosen = try documents.selection()
        let database = documents.location.database
        guard !arguments.isDry else {
            let done = try await database.read { _, snapshot in
                try each(chosen, in: snapshot, change) { _, id in Done(id: id, isFound: true) }
            }
            return try report(done, change)
        }
        let needsConfirmation = change == .purge || chosen.isOpen
        let done = try await confirmation(change).run {
            needsConfirmation && $0 > 0
        } _: { check in
            try await database.write(upgrades: upgrade.upgrade) { transaction in
                try each(chosen, in: transaction, change, check) { collection, id in
                    try Self.apply(change, collection, id, transaction)
                }
            }
        }
        try report(done, change)
    }

    private func confirmation(_ change: Change) -> Confirmation {
        Confirmation(
            isGiven: arguments.yes, reason: change.reason, refusal: "nothing was \(change.name)"
        ) { "\(change == .delete ? "Delete" : "Purge") \(Text.count($0, "document"))?" }
    }

    private func each(
        _ chosen: DocumentSelection, in snapshot: Snapshot, _ change: Change,
        _ check: Confirmation.Check = { _ in }, _ body: (DocumentCollection, String) throws -> Done
    ) throws -> [Done] {
        let collection = try documents.location.named()
        let choices = try documents.choices(
            of: chosen, in: snapshot, includesDeleted: change == .purge)
        try check(choices.count { if case .id = $0 { true } else { false } })
        return try choices.map {
            switch $0 {
            case .missing(let id): Done(id: id, isFound: false)
            case .id(let id): try body(collection, id)
            }
        }
    }

    private static func apply(
        _ change: Change, _ collection: DocumentCollection, _ id: String, _ transaction: Transaction
    ) throws -> Done {
        switch change {
        case .delete:
            let saved = try collection.delete(id, in: transaction)
            return Done(id: id, isFound: saved != nil, saved: saved)
        case .purge:
            return Done(id: id, isFound: try collection.purge(id, in: transaction))
        }
    }

    private func report(_ done: [Done], _ change: Change) throws {
        let schema = change == .delete ? "rm" : "purge"
        var rows = RowOutput(
            schema, list: "documents",
            [
                Column("id", "Document", isKey: true), Column("action", "Action"),
                Column("revision", "Revision"), Column("sequence", "Sequence", isNumber: true),
            ], output, presentation: .lines { "\($0[1].forPeople)\($0[0].forPeople)" },
            empty: done.isEmpty ? "(no documents)" : nil)
        for item in done where item.isFound {
            try rows.add(row(item, change))
        }
        try rows.finish()
        try MissingDocument.report(
            done.filter { !$0.isFound }.map(\.id), documents.location.named().name,
            found: rows.count)
    }

    private func row(_ item: Done, _ change: Change) -> [Cell] {
        let verb = arguments.isDry ? "Would have \(change.name)" : change.title
        let rest = item.saved.map { ", revision \($0.revisionID), sequence \($0.sequence)" } ?? ""
        return [
            .both("\"\(item.id)\"\(rest)", program: .text(item.id)),
            .both("\(verb) ", program: .text(arguments.isDry ? "none" : change.name)),
            .optional(item.saved?.revisionID.description),
            item.saved.map { .integer($0.sequence) } ?? .none,
        ]
    }
}

/// The flags of commands that remove documents. See ``DocumentRemoval``.
struct ChangeArguments: ParsableArguments {
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be done, without doing it.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
}

/// The option of commands that create the database that they write to.
struct CreationArguments: ParsableArguments {
    @Flag(help: "Create a new database even if its name does not end with .cblite2.")
    var create = false
}

/// `kvtool rm DATABASE ID…`
struct RemoveCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Deletes documents, leaving the tombstones that replication needs.",
        discussion: """
            Examples:
              kvtool rm people.cblite2 person-0001 person-0002
              kvtool rm people.cblite2 'draft-*' --dry-run
              kvtool rm people.cblite2 --where 'age > 99'

            All are deleted in one transaction. --purge leaves no tombstones, like purge.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var change: ChangeArguments
    @Flag(help: "Remove permanently, leaving no tombstones for replication.")
    var purge = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await DocumentRemoval(documents, upgrade, change, output)
            .run(purge ? .purge : .delete)
    }
}

/// `kvtool purge DATABASE ID…`
struct PurgeCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Removes documents or tombstones from this database permanently.",
        discussion: """
            Examples:
              kvtool purge people.cblite2 person-0001
              kvtool purge people.cblite2 'old-*' --dry-run
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var change: ChangeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await DocumentRemoval(documents, upgrade, change, output).run(.purge)
    }
}
