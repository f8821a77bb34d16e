internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

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

            mkindex makes indexes, rmindex deletes them, reindex makes them again.
            """,
        subcommands: [
            IndexListCommand.self, IndexShowCommand.self, IndexDumpCommand.self,
            IndexCheckCommand.self,
        ])
}

/// `kvtool index ls DATABASE`
struct IndexListCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the indexes, of all collections or of one.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index ls people.cblite2 --collection hr.staff --json

            Stale is one that may be wrong: foreign if only the program that made it can keep it, \
            textOrder if its texts may be in the order of another platform (reindex helps).
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await place.database.read { _, snapshot in
            try IndexList.write(snapshot, of: try place.collection(in: snapshot), output)
        }
    }
}

/// Shows what an index is of, and what it consists of.
struct IndexShowing {
    let name: String

    func run(
        _ database: DatabaseArguments, _ collection: DocumentCollection?, _ output: OutputArguments
    ) async throws {
        let name = name
        let description = try await database.read { _, snapshot in
            let index = try snapshot.index(name, in: collection)
            return IndexDescription(index: index, objects: try IndexObjects(index, snapshot))
        }
        try description.write(output)
    }
}

/// `kvtool index show DATABASE NAME`
struct IndexShowCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows how an index is defined, what it consists of, and how large that is.",
        discussion: """
            Examples:
              kvtool index show people.cblite2 byAge
              kvtool index show people.cblite2 byAge --json
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The index.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var name: String
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await IndexShowing(name: name).run(place.database, try place.named(), output)
    }
}

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
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit: Int?
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
