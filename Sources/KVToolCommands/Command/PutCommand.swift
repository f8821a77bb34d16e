internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool put DATABASE ID JSON`
struct PutCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Creates or replaces a document.",
        discussion: """
            Examples:
              kvtool put people.cblite2 ada '{"name": "Ada", "age": 36}'
              kvtool put people.cblite2 ada @ada.json --create
              kvtool put people.cblite2 ada '{age: 37, email: null}' --merge-patch
              kvtool put people.cblite2 ada '[{"op":"add","path":"/tags/-","value":"x"}]' --patch
              kvtool cat people.cblite2 ada | kvtool put people.cblite2 ada - --if-rev 18e9f0b7@*

            The JSON may be JSON5: comments, keys without quotes, trailing commas. Arguments after \
            the ID are joined with spaces. Nothing is written after an error.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The document ID, unless DATABASE names it.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var id: String?
    @Argument(
        help: "The properties, a JSON object; @FILE reads them from a file, - from standard input.")
    var json: [String] = []
    @Flag(exclusivity: .exclusive) var mode: PutMode?
    @Option(
        name: .customLong("if-rev"),
        help: ArgumentHelp(
            "Write only if this is the current revision (otherwise exit status 6).",
            valueName: "revision"))
    var expectedRevision: String?
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation of --purge.")
    var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        guard location.database.address.id != nil || id != nil else {
            throw ValidationError("Missing expected argument '<id>'")
        }
        guard id != "" else { throw ValidationError(SelectionArguments.emptyID) }
        let isRemoval = mode?.isRemoval == true
        guard isRemoval == words.isEmpty else {
            throw ValidationError(
                isRemoval
                    ? "--\(mode?.rawValue ?? "") takes no JSON"
                    : "Missing expected argument '<json>'")
        }
        if mode == .create, expectedRevision != nil {
            throw ValidationError("--create and --if-rev exclude each other")
        }
    }

    func run() async throws {
        let collection = try location.named()
        let change = try PutChange(
            id: location.database.address.id ?? id ?? "", mode: mode,
            text: words.isEmpty ? nil : DocumentText(words: words),
            expectedRevision: expectedRevision)
        let confirmation = Confirmation(
            isGiven: yes, reason: DocumentRemoval.Change.purge.reason,
            refusal: "nothing was purged"
        ) { "Purge \(Text.count($0, "document"))?" }
        let isPurge = mode == .purge
        let done = try await confirmation.run { _ in
            isPurge
        } _: { check in
            try await location.database.write(upgrades: upgrade.upgrade) { transaction in
                let done = try change.apply(to: collection, transaction)
                try check(1)
                return done
            }
        }
        var rows = RowOutput(
            "put", list: "documents",
            [
                Column("id", "Document", isKey: true), Column("action", "Action"),
                Column("revision", "Revision"), Column("sequence", "Sequence", isNumber: true),
            ], output, presentation: .lines { "\($0[1].forPeople) \($0[0].forPeople)" })
        try rows.add(row(change.id, done))
        try rows.finish()
    }

    private func row(_ id: String, _ done: PutChange.Done) -> [Cell] {
        let rest = done.saved.map { ", revision \($0.revisionID), sequence \($0.sequence)" } ?? ""
        let action = Cell.both(done.title, program: .text(done.title.lowercased()))
        return [
            .both("\"\(id)\"\(rest)", program: .text(id)), action,
            .optional(done.saved?.revisionID.description),
            done.saved.map { .integer($0.sequence) } ?? .none,
        ]
    }

    /// The arguments of the JSON.
    private var words: [String] {
        location.database.address.id == nil ? json : [id].compactMap(\.self) + json
    }
}
