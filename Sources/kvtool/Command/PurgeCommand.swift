internal import ArgumentParser

/// `kvtool purge DATABASE ID…`
struct PurgeCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Removes documents or tombstones from this database without a trace.",
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
