internal import ArgumentParser
internal import DataFileCore

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

            --measure makes each index in a copy of the database beside it, which needs room for \
            that, and tells how long the query takes without and with it.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var arguments: QueryArguments
    @Flag(help: "The statement that SQLite is asked, too.") var sql = false
    @Flag(name: .customLong("json-form"), help: "Couchbase Lite's JSON form of the query, too.")
    var jsonForm = false
    @Flag(help: "Measure the indexes that are advised.") var measure = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try place.requireNoDocument()
        let query = try arguments.named(in: place.named().name)
        let values = try arguments.values()
        let explanation = try await database.read { _, snapshot in
            try QueryExplanation(query, values, in: snapshot)
        }
        let file = measure ? try database.open() : nil
        try explanation.write(
            QueryExplanation.Details(sql: sql, json: jsonForm), output,
            measure: file.map { file in { try gain($0, query, values, file) } })
    }

    private func gain(
        _ advice: IndexAdvice, _ query: Query, _ values: QueryParameters, _ file: DataFile
    ) throws -> IndexAdvice.Gain {
        let copy = file.path + ".advice-\(DocumentID.generate()).cblite2"
        return try advice.measure(query, values, of: file, copyAt: copy)
    }
}
