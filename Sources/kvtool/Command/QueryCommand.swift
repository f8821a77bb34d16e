internal import ArgumentParser

/// `kvtool query DATABASE 'SELECT …'`
struct QueryCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Asks a query, and writes the rows as they come.",
        discussion: """
            Examples:
              kvtool query people.cblite2 'SELECT name.last, age FROM _ WHERE age > 80'
              kvtool query people.cblite2 --json 'SELECT * FROM _ WHERE META().id = $id' -p id=x
              kvtool query people.cblite2 '["=", [".name.last"], "Yi"]' --limit 10
              kvtool query people.cblite2 @report.sql --csv > report.csv
              kvtool query people.cblite2 'SELECT COUNT(*) FROM _' --watch
              kvtool query people.cblite2//hr.staff 'DELETE FROM _ WHERE age > 99'

            _ is the collection that DATABASE//COLLECTION or --collection names, else the default \
            one; others are called by their names. What is missing is an empty cell, or no \
            property of the JSON. UPDATE and DELETE change the documents, and say how many; \
            without a WHERE, or of more than 1000 documents, they ask first, and where nobody can \
            be asked those without a WHERE need --yes. --limit and --offset count the rows that \
            the query has. With --watch, --ndjson writes a line for each row that was inserted, \
            updated, moved or removed; Ctrl-C ends it with 130.
            """)

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
        ).run()
    }
}
