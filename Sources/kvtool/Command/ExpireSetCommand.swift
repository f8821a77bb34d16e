internal import ArgumentParser
internal import DocumentStore

/// `kvtool expire set DATABASE ID… --in 7d`
struct ExpireSetCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets when documents expire.",
        discussion: """
            Examples:
              kvtool expire set people.cblite2 person-0001 'draft-*' --in 7d
              kvtool expire set people.cblite2 person-0001 --at 2030-01-31T12:00+01:00
              kvtool expire set people.cblite2 --where 'active = FALSE' --in 12h
              kvtool expire set people.cblite2 person-0001 --never

            All are set in one transaction, and those that are not there are named. Exit status 3 \
            if none is there, 7 if some are not.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @Option(
        help: ArgumentHelp(
            "A date, as 2030-01-31T12:00, in UTC unless it names a zone.", valueName: "date"))
    var at: String?
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("From now on: 90s, 15m, 12h, 7d, 2w, 1h30m.", valueName: "duration"))
    var delay: String?
    @Flag(help: "They do not expire any more.") var never = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try documents.validate()
        guard [at != nil, delay != nil, never].count(where: { $0 }) == 1 else {
            throw ValidationError("give one of --at, --in and --never")
        }
        if let at, MomentText.date(at) == nil {
            throw ValidationError("\(Text.line(at)) is no date as 2030-01-31T12:00")
        }
        if let delay, MomentText.duration(delay) == nil {
            throw ValidationError("\(Text.line(delay)) is no length of time as 90s, 12h or 7d")
        }
    }

    func run() async throws {
        try await ExpirationChange(documents, upgrade, output).run(moment())
    }

    private func moment() throws -> Int64? {
        if let at { return MomentText.date(at) }
        guard let delay = delay.flatMap({ MomentText.duration($0) }) else { return nil }
        let (moment, isTooLarge) = System.milliseconds.addingReportingOverflow(delay)
        guard !isTooLarge else { throw ToolError("--in is too long", status: .usage) }
        return moment
    }
}
