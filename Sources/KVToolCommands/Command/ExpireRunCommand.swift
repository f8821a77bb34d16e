internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool expire run DATABASE`
struct ExpireRunCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Purges documents that have expired.",
        discussion: """
            Examples:
              kvtool expire run people.cblite2 --dry-run
              kvtool expire run people.cblite2 --collection hr.staff

            Purges those of all collections unless one is named, in one transaction.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be done, without doing it.")
    var isDry = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let purged = try await purged(at: System.milliseconds)
        var rows = RowOutput(
            "expire.run", list: "collections",
            [
                Column("collection", "Collection", isKey: true), Column("action", "Action"),
                Column("documents", "Documents", isNumber: true),
            ], output,
            presentation: .lines { "\($0[1].forPeople) \($0[2].forPeople) of \($0[0].forPeople)" })
        for (name, count) in purged where count > 0 || !output.isForPeople {
            try rows.add([
                .text(name.description),
                isDry
                    ? .both("Would have purged", program: .text("none"))
                    : .both("Purged", program: .text("purged")),
                .both(Text.count(count, "document"), program: .number(count)),
            ])
        }
        try rows.finish()
        if output.isForPeople, purged.allSatisfy({ $0.1 == 0 }) {
            StandardError.current.writeUnprefixed("(no document has expired)")
        }
    }

    /// Purges expired documents, or counts them; returns the number for each collection.
    private func purged(at now: Int64) async throws -> [(CollectionName, Int)] {
        guard !isDry else {
            return try await location.database.read { _, snapshot in
                try location.collections(in: snapshot).map { collection in
                    let due = try collection.keyStore.expiringCount(upTo: now, in: snapshot)
                    return (collection.name, due)
                }
            }
        }
        return try await location.database.write(upgrades: upgrade.upgrade) { transaction in
            try location.collections(in: transaction).map { collection in
                let purged = try collection.keyStore.purgeExpired(at: now, in: transaction)
                return (collection.name, purged)
            }
        }
    }
}
