internal import ArgumentParser
internal import DocumentStore

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

            All are deleted in one transaction. --purge leaves nothing behind, as purge does.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var change: ChangeArguments
    @Flag(help: "Remove them without a trace; replication then does not know.")
    var purge = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await DocumentRemoval(documents, upgrade, change, output)
            .run(purge ? .purge : .delete)
    }
}
