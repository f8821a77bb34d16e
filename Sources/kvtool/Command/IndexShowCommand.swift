internal import ArgumentParser
internal import DocumentStore

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
