internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

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
    @OptionGroup var asking: QueryOptions
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await QueryRun(
            place: place, arguments: arguments, asking: asking, upgrade: upgrade,
            output: output
        ).run()
    }
}

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
    @OptionGroup var asking: QueryOptions
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await QueryRun(
            place: place, arguments: arguments, asking: asking, upgrade: upgrade,
            output: output
        ).run(after: "SELECT ")
    }
}

/// `kvtool explain DATABASE 'SELECT …'`
struct ExplainCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows how a query would be executed, and which indexes would help.",
        discussion: """
            Examples:
              kvtool explain people.cblite2 'SELECT name FROM _ WHERE age > 80 ORDER BY name'
              kvtool explain people.cblite2 'SELECT name FROM _ WHERE age > 80' --measure
              kvtool explain people.cblite2 'SELECT name FROM _' --json

            An index that would help is shown as the command that makes it, with --swift as a line \
            for an application, too. --measure makes each index in a copy of the database, which \
            needs space for that, and tells how long the query takes without and with it. The copy \
            lies beside the database, in a directory that only this user can read, encrypted as the \
            database is, and is deleted at the end.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var arguments: QueryArguments
    @Flag(help: "The statement that SQLite is asked, too.") var sql = false
    @Flag(name: .customLong("json-form"), help: "Couchbase Lite's JSON form of the query, too.")
    var jsonForm = false
    @Flag(help: "The line of Swift that makes an index, too.") var swift = false
    @Flag(help: "Measure the indexes that are advised.") var measure = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try place.requireNoDocument()
        let query = try arguments.named(in: place.named().name)
        let values = measure ? try arguments.values(for: query) : try arguments.values()
        let explanation = try await database.read { _, snapshot in
            try QueryExplanation(query, values, in: snapshot)
        }
        let details = QueryExplanation.Details(
            sql: sql, json: jsonForm, swift: swift, database: database.path)
        guard measure else { return try await explanation.write(details, output) }
        let file = try database.open()
        try await explanation.write(details, output) { try await gain($0, query, values, file) }
    }

    private func gain(
        _ advice: IndexAdvice, _ query: Query, _ values: QueryParameters, _ file: DataFile
    ) async throws -> IndexAdvice.Gain {
        let directory = try WorkDirectory(beside: file.path)
        defer { withExtendedLifetime(directory) {} }
        return try await advice.measure(query, values, of: file, copyAt: directory.database)
    }
}
