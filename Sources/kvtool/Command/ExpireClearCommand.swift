internal import ArgumentParser
internal import DocumentStore

/// `kvtool expire clear DATABASE ID…`
struct ExpireClearCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Lets documents expire no more.",
        discussion: """
            Examples:
              kvtool expire clear people.cblite2 person-0001 person-0002
              kvtool expire clear people.cblite2 --where 'keep = true'
              kvtool expire ls people.cblite2 --csv | tail -n +2 | cut -d, -f2 | \
            kvtool expire clear people.cblite2 --ids-from -

            It is expire set --never. Exit status 3 if none of the documents is there, 7 if some \
            are not.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await ExpirationChange(documents, upgrade, output).run(nil)
    }
}
