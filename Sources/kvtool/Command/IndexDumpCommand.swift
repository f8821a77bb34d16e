internal import ArgumentParser
internal import DocumentStore

/// `kvtool index dump DATABASE NAME`
struct IndexDumpCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Writes what stands in an index.",
        discussion: """
            Examples:
              kvtool index dump people.cblite2 byAge --limit 20
              kvtool index dump people.cblite2 byStreet --csv

            Of a value index the values and the document's id, in the index's order; of an index \
            of words each word, in how many documents it is, and how often; of an array's index \
            the id, the place in the array and the element; of a predictive one the id and the \
            result.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The index.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var name: String
    @Option(help: ArgumentHelp("At most this many.", valueName: "n")) var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try place.validate()
        try requireNotNegative("--limit", limit)
    }

    func run() async throws {
        try await place.database.read { _, snapshot in
            let collection = try place.collection(in: snapshot)
            let index = try snapshot.index(name, in: collection)
            try IndexDump(index, snapshot, limit: limit ?? .max, output).run()
        }
    }
}
