internal import ArgumentParser

/// The options that name a collection, which the database's argument may do, too: see
/// ``CollectionPlace`` and ``AllCollectionsPlace``.
struct CollectionArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The collection, as NAME or SCOPE.NAME.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: String?

    @Option(name: .long, help: ArgumentHelp("The collection's scope.", valueName: "name"))
    var scope: String?
}
