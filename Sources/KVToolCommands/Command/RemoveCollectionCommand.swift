internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool rmcoll DATABASE NAME…`
struct RemoveCollectionCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "rmcoll",
        abstract: "Removes collections and all their documents permanently.",
        discussion: """
            Examples:
              kvtool rmcoll people.cblite2 hr.former --dry-run
              kvtool rmcoll people.cblite2 hr.former hr.staff --yes

            All are removed in one transaction. Replication does not propagate this. The default \
            collection cannot be removed: kvtool purge DATABASE '*' empties it. The next compact \
            removes blobs that are then unused.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(
        help: "Names of the collections, NAME or SCOPE.NAME.",
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var names: [String] = []
    @Flag(name: .customLong("if-exists"), help: "Accept collections that do not exist.")
    var ifExists = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be done, without doing it.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    /// A collection to remove, and the number of its documents.
    private struct Item: Sendable {
        let name: CollectionName
        let documents: Int
        let deleted: Int
    }

    func validate() throws {
        guard !all.isEmpty else { throw ValidationError("Missing expected argument '<names> ...'") }
    }

    func run() async throws {
        let collections = try all.map { DocumentCollection(try CollectionName(argument: $0)) }
        if collections.contains(DocumentCollection(.default)) {
            throw ToolError(
                "the default collection cannot be removed; kvtool purge \(database.path) '*' "
                    + "empties it", status: .usage)
        }
        let found = try await database.read { _, snapshot in try items(collections, snapshot) }
        if !isDry { try confirm(found) }
        let removed =
            isDry
            ? found
            : try await database.write(upgrades: upgrade.upgrade) { transaction in
                let found = try items(collections, transaction)
                for item in found { try DocumentCollection(item.name).delete(in: transaction) }
                return found
            }
        try report(removed)
    }

    /// In a shell the address is the current location, which counts only without a name.
    private var all: [String] {
        guard !OpenShell.current.isOpen || names.isEmpty else { return names }
        return [database.address.collection].compactMap(\.self) + names
    }

    private func items(_ collections: [DocumentCollection], _ snapshot: Snapshot) throws -> [Item] {
        var items: [Item] = []
        for collection in collections where !items.contains(where: { $0.name == collection.name }) {
            if ifExists, try !collection.exists(in: snapshot) { continue }
            let (live, deleted) = try collection.count(in: snapshot)
            items.append(Item(name: collection.name, documents: live, deleted: deleted))
        }
        return items
    }

    private func confirm(_ items: [Item]) throws {
        guard !items.isEmpty else { return }
        let names = items.map { "\($0.name) (\(Text.count($0.documents, "document")))" }
        let list = names.joined(separator: ", ")
        try Confirmation(
            isGiven: yes, reason: "this removes collections with all their documents",
            refusal: "nothing was removed"
        ) { _ in "Remove \(list) permanently?" }
        .ask(items.count)
    }

    private func report(_ items: [Item]) throws {
        var rows = RowOutput(
            "rmcoll", list: "collections",
            [
                Column("collection", "Collection", isKey: true), Column("action", "Action"),
                Column("documents", "Documents", isNumber: true),
                Column("deleted", "Deleted", isNumber: true),
            ], output,
            presentation: .lines { "\($0[1].forPeople) the collection \($0[0].forPeople)" })
        for item in items {
            let count = Text.count(item.documents, "document")
            try rows.add([
                .both("\(item.name) with \(count)", program: .text(item.name.description)),
                isDry
                    ? .both("Would have removed", program: .text("none"))
                    : .both("Removed", program: .text("removed")),
                .number(item.documents), .number(item.deleted),
            ])
        }
        try rows.finish()
    }
}
