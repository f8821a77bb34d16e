internal import ArgumentParser
internal import DocumentStore

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
            needs room for that, and tells how long the query takes without and with it. The copy \
            lies beside the database, in a folder that only this user can read, encrypted as the \
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
        let folder = try WorkFolder(beside: file.path)
        defer { withExtendedLifetime(folder) {} }
        return try await advice.measure(query, values, of: file, copyAt: folder.database)
    }
}
