internal import ArgumentParser

/// `kvtool index …`
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Lists indexes, and shows what is in one.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index show people.cblite2 byAge
              kvtool index dump people.cblite2 byStreet --limit 20
              kvtool index check people.cblite2 byAge

            mkindex makes indexes, rmindex deletes them, reindex makes them anew.
            """,
        subcommands: [
            IndexListCommand.self, IndexShowCommand.self, IndexDumpCommand.self,
            IndexCheckCommand.self,
        ])
}
