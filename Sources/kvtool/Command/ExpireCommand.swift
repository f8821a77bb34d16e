internal import ArgumentParser

/// `kvtool expire ls|set|clear|run DATABASE …`
struct ExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Says when documents expire, and changes it.",
        discussion: """
            Examples:
              kvtool expire ls people.cblite2
              kvtool expire set people.cblite2 person-0001 'draft-*' --in 7d
              kvtool expire people.cblite2 person-0001 --at 2030-01-31T12:00
              kvtool expire clear people.cblite2 --where 'keep = true'
              kvtool expire run people.cblite2 --dry-run

            A document whose time has come is purged by the application, or by expire run. Its \
            revision and its sequence stay as they are when the time is set.
            """,
        subcommands: [
            ExpireListCommand.self, ExpireSetCommand.self, ExpireClearCommand.self,
            ExpireRunCommand.self,
        ], defaultSubcommand: ExpireSetCommand.self)
}
