internal import ArgumentParser
internal import DocumentStore

/// The options of `query` and `select`. See ``QueryRun``.
struct AskingArguments: ParsableArguments {
    @Option(help: ArgumentHelp("At most this many rows.", valueName: "n")) var limit: Int?
    @Option(help: ArgumentHelp("Leave out the first rows.", valueName: "n")) var offset = 0
    @Option(help: "End the query after so many seconds.") var seconds: Double?
    @Flag(help: "One JSON array, with an object a row.") var raw = false
    @Flag(help: "The same as JSON5, without quotes that need not be.") var json5 = false
    @Flag(help: "Do not ask the query, but show how it would be executed.") var explain = false
    @Flag(help: "Tell how long it took.") var time = false
    @Flag(help: "Show the result again whenever it changes, until Ctrl-C.") var watch = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Only say how many documents an UPDATE or DELETE would change.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false

    var limits: QueryLimits { QueryLimits(seconds: seconds) }

    /// The array in place of the forms that all commands have.
    var rawForm: ResultOutput.RawForm? { json5 ? .json5 : raw ? .objects : nil }

    func validate() throws {
        try requireNotNegative("--limit", limit)
        try requireNotNegative("--offset", offset)
        if let seconds, !(seconds > 0 && seconds <= 86_400) {
            throw ValidationError("--seconds takes more than 0, and at most 86400")
        }
        guard !watch || (limit == nil && offset == 0) else {
            throw ValidationError("--watch shows all rows; write LIMIT and OFFSET into the query")
        }
        guard !explain || !(watch || raw || json5 || time) else {
            throw ValidationError(
                "--explain asks nothing: --watch, --raw, --json5 and --time are without use")
        }
    }
}
