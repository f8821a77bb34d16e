internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool query DATABASE 'SELECT …'`
struct QueryCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Runs a query and writes its rows.",
        discussion: """
            Examples:
              kvtool query people.cblite2 'SELECT name.last, age FROM _ WHERE age > 80'
              kvtool query people.cblite2 --json 'SELECT * FROM _ WHERE META().id = $id' -p id=x
              kvtool query people.cblite2 '["=", [".name.last"], "Yi"]' --limit 10
              kvtool query people.cblite2 @report.sql --csv > report.csv
              kvtool query people.cblite2 'SELECT COUNT(*) FROM _' --watch
              kvtool query people.cblite2//hr.staff 'DELETE FROM _ WHERE age > 99'

            _ is the collection that DATABASE//COLLECTION or --collection names, or the default \
            collection; other collections are referred to by name. A MISSING value is an empty \
            cell, or an absent property in JSON. UPDATE and DELETE change documents and report how \
            many. Without a WHERE clause, or for more than 1000 documents, they ask for \
            confirmation; without a terminal, those without a WHERE clause require --yes. --limit \
            and --offset apply to the rows of the result. A parameter's value can be in a file, \
            such as a vector: -p v=@file.f32, v=@file.npy#[0] or v=@file.ndjson#[0].vector. With \
            --watch, --ndjson writes a line for each row that was inserted, updated, moved or \
            removed; Ctrl-C ends it with exit status 130.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var arguments: QueryArguments
    @OptionGroup var options: QueryOptions
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await QueryRun(
            location: location, arguments: arguments, options: options, upgrade: upgrade,
            output: output
        ).run()
    }
}

/// `kvtool select DATABASE NAME FROM _`
struct SelectCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "select", abstract: "Runs a query that begins with SELECT.",
        discussion: """
            Examples:
              kvtool select people.cblite2 name.last, age FROM _ WHERE name.first = "'Ada'"
              kvtool select people.cblite2 '* FROM _ LIMIT 3' --json

            Same as query with SELECT put in front. Arguments are joined with spaces. Quote what \
            the shell would interpret, such as * > ' and $.
            """,
        aliases: ["SELECT"])

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var arguments: QueryArguments
    @OptionGroup var options: QueryOptions
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await QueryRun(
            location: location, arguments: arguments, options: options, upgrade: upgrade,
            output: output
        ).run(after: "SELECT ")
    }
}

/// `kvtool explain DATABASE 'SELECT …'`
struct ExplainCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows the plan of a query, and indexes that would help.",
        discussion: """
            Examples:
              kvtool explain people.cblite2 'SELECT name FROM _ WHERE age > 80 ORDER BY name'
              kvtool explain people.cblite2 'SELECT name FROM _ WHERE age > 80' --measure
              kvtool explain people.cblite2 'SELECT name FROM _' --json

            An index that would help is shown as the command that creates it; --swift adds the \
            line for an application. --measure creates each index in a copy of the database, which \
            needs disk space, and shows how long the query takes without and with it. The copy is \
            created next to the database, in a directory that only this user can read, encrypted \
            like the database, and is deleted at the end.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var arguments: QueryArguments
    @Flag(help: "Include the SQL statement that SQLite runs.") var sql = false
    @Flag(name: .customLong("json-form"), help: "Include Couchbase Lite's JSON form of the query.")
    var jsonForm = false
    @Flag(help: "Include Swift code that creates the indexes.") var swift = false
    @Flag(help: "Measure the effect of the recommended indexes.") var measure = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try location.requireNoDocument()
        let (query, text) = try arguments.named(in: location.named().name)
        let values = measure ? try arguments.values(for: query) : try arguments.values()
        let explanation: QueryExplanation
        do {
            explanation = try await database.read { _, snapshot in
                try QueryExplanation(query, values, in: snapshot)
            }
        } catch let error as StoreError {
            SyntaxMark.show(error, in: text)
            throw error
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
