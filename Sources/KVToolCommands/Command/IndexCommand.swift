internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool index …`
struct IndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Lists indexes, and shows their definition and content.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index show people.cblite2 byAge
              kvtool index dump people.cblite2 byStreet --limit 20
              kvtool index check people.cblite2 byAge

            mkindex creates indexes, rmindex deletes them, reindex rebuilds them.
            """,
        subcommands: [
            IndexListCommand.self, IndexShowCommand.self, IndexDumpCommand.self,
            IndexCheckCommand.self,
        ])
}

/// `kvtool index ls DATABASE`
struct IndexListCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the indexes of all collections, or of one.",
        discussion: """
            Examples:
              kvtool index ls people.cblite2
              kvtool index ls people.cblite2 --collection hr.staff --json

            A stale index may be wrong: foreign if only the program that created it can maintain \
            it, collationChanged if its strings may be sorted by the collation of another platform \
            (reindex rebuilds it).
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await location.database.read { _, snapshot in
            try IndexList.write(snapshot, of: try location.collection(in: snapshot), output)
        }
    }
}

/// Shows the definition of an index and the database objects that it consists of.
struct IndexShowing {
    let name: String

    func run(
        _ database: DatabaseArguments, _ collection: DocumentCollection?, _ output: OutputArguments
    ) async throws {
        let name = name
        let description = try await database.read { _, snapshot in
            try IndexDescription(try snapshot.index(name, in: collection), in: snapshot)
        }
        try description.write(output)
    }
}

/// `kvtool index show DATABASE NAME`
struct IndexShowCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the definition of an index, the objects it consists of, and their size.",
        discussion: """
            Examples:
              kvtool index show people.cblite2 byAge
              kvtool index show people.cblite2 byAge --json
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "Name of the index.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var name: String
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await IndexShowing(name: name).run(location.database, try location.named(), output)
    }
}

/// `kvtool index dump DATABASE NAME`
struct IndexDumpCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Writes the content of an index.",
        discussion: """
            Examples:
              kvtool index dump people.cblite2 byAge --limit 20
              kvtool index dump people.cblite2 byStreet --csv

            A value index has the values and the document's ID, in index order; a full-text index \
            each word, the number of documents that contain it, and how often it occurs; an array \
            index the ID, the position in the array, and the element; a predictive index the ID \
            and the result.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "Name of the index.",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var name: String
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of entries.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        try requireNotNegative("--limit", limit)
    }

    func run() async throws {
        try await location.database.read { _, snapshot in
            let collection = try location.collection(in: snapshot)
            let index = try snapshot.index(name, in: collection)
            try IndexDump(index, snapshot, limit: limit ?? .max, output).run()
        }
    }
}
