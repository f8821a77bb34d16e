internal import ArgumentParser

/// The arguments that say which documents of a collection a command is on. See
/// ``SelectedDocuments``.
struct SelectionArguments: ParsableArguments {
    @Argument(
        help: """
            The ids of the documents; * and ? stand for any characters, \\ for the one after it.
            """,
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var ids: [String] = []

    @Option(
        name: .customLong("ids-from"),
        help: ArgumentHelp(
            "Only ids of this file, one a line; - is standard input.", valueName: "file"),
        completion: .file())
    var idsFrom: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Only documents that meet this SQL++ condition.", valueName: "condition")
    )
    var condition: String?

    /// Why `""` is refused: a document's id is 1 to 240 bytes.
    static let emptyID = "\"\" is no id: a document's id is never empty"

    func validate() throws {
        guard !ids.contains("") else { throw ValidationError(Self.emptyID) }
    }
}
