internal import ArgumentParser

/// `kvtool select DATABASE NAME FROM _`
struct SelectCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "select", abstract: "Asks a query that begins with SELECT.",
        discussion: """
            Examples:
              kvtool select people.cblite2 name.last, age FROM _ WHERE name.first = "'Ada'"
              kvtool select people.cblite2 '* FROM _ LIMIT 3' --json

            The same as query with SELECT put in front. The words are joined with spaces, as the \
            shell has left them: what it would take for its own, such as * > ' and $, has to be \
            quoted.
            """,
        aliases: ["SELECT"])

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var arguments: QueryArguments
    @OptionGroup var asking: AskingArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await QueryRun(
            place: place, arguments: arguments, asking: asking, upgrade: upgrade,
            output: output
        ).run(after: "SELECT ")
    }
}
