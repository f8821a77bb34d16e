internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool mkcoll DATABASE NAME…`
struct MakeCollectionCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkcoll", abstract: "Creates collections.",
        discussion: """
            Examples:
              kvtool mkcoll people.cblite2 hr.staff hr.former
              kvtool mkcoll new.cblite2 notes --create

            A name is NAME or SCOPE.NAME; a scope exists while it has a collection. All \
            collections are created in one transaction.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "Names of the collections, NAME or SCOPE.NAME.") var names: [String] = []
    @Flag(name: .customLong("if-not-exists"), help: "Accept collections that exist already.")
    var ifNotExists = false
    @Flag(help: "Create the database if it does not exist.") var create = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        guard !all.isEmpty else { throw ValidationError("Missing expected argument '<names> ...'") }
    }

    func run() async throws {
        let names = try all.map { try CollectionName(argument: $0) }
        if create { try database.open(.create, upgrades: upgrade.upgrade).close() }
        let actions = try await database.write(upgrades: upgrade.upgrade) { transaction in
            try names.map { try make($0, transaction) }
        }
        var rows = RowOutput(
            "mkcoll", list: "collections",
            [Column("collection", "Collection", isKey: true), Column("action", "Action")],
            output, presentation: .lines { "\($0[1].forPeople) \($0[0].forPeople)" })
        for (name, isNew) in zip(names, actions) {
            try rows.add([
                .text(name.description),
                isNew
                    ? .both("Created the collection", program: .text("created"))
                    : .both("Exists already: the collection", program: .text("none")),
            ])
        }
        try rows.finish()
    }

    /// In a shell the address is the current location, which counts only without a name.
    private var all: [String] {
        guard !OpenShell.current.isOpen || names.isEmpty else { return names }
        return [database.address.collection].compactMap(\.self) + names
    }

    private func make(_ name: CollectionName, _ transaction: Transaction) throws -> Bool {
        let collection = DocumentCollection(name)
        guard try !collection.exists(in: transaction) else {
            guard ifNotExists else {
                throw StoreError(
                    .conflict,
                    "there is a collection \(name) already; --if-not-exists accepts it")
            }
            return false
        }
        try collection.create(in: transaction)
        return true
    }
}
