internal import ArgumentParser
internal import DocumentStore

/// `kvtool index ls DATABASE`
struct IndexListCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the indexes, of all collections or of one.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index ls people.cblite2 --collection hr.staff --json

            Stale is one that may be wrong: foreign if only the program that made it can keep it, \
            textOrder if its texts may be in the order of another platform (reindex helps).
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await place.database.read { _, snapshot in
            try IndexList.write(snapshot, of: try place.collection(in: snapshot), output)
        }
    }
}
