internal import ArgumentParser
internal import DocumentStore
internal import StoreTools

/// `kvtool expire ls DATABASE`
struct ExpireListCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the documents that expire.",
        discussion: """
            Examples:
              kvtool expire ls people.cblite2
              kvtool expire ls people.cblite2 --limit 10
              kvtool expire ls people.cblite2 --collection hr.staff --json

            Those of all collections, unless one is named; those that expire first stand first.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(help: ArgumentHelp("At most this many.", valueName: "n")) var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try place.validate()
        try requireNotNegative("--limit", limit)
    }

    func run() async throws {
        try await place.database.read { _, snapshot in
            let collections = try place.collections(in: snapshot)
            var rows = RowOutput(
                "expire.ls", list: "documents",
                [
                    Column("collection", "Collection"), Column("id", "Document", isKey: true),
                    Column("expiration", "Expires"), Column("due", "When"),
                ], output, empty: "(no document expires)")
            let now = System.milliseconds
            try snapshot.forEachExpiring(of: collections.map(\.keyStore)) { item in
                guard rows.count < limit ?? .max else { return false }
                let distance = Expirations.distance(to: item.expiration, from: now)
                try rows.add([
                    .text(collections[item.store].name.description), .text(item.key),
                    .date(item.expiration),
                    .both(distance, program: .truth(item.expiration <= now)),
                ])
                return true
            }
            try rows.finish()
        }
    }
}
