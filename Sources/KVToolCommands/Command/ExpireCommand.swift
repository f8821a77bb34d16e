internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool expire set DATABASE ID… --in 7d`
struct ExpireSetCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets the expiration of documents.",
        discussion: """
            Examples:
              kvtool expire set people.cblite2 person-0001 'draft-*' --in 7d
              kvtool expire set people.cblite2 person-0001 --at 2030-01-31T12:00+01:00
              kvtool expire set people.cblite2 --where 'active = FALSE' --in 12h
              kvtool expire set people.cblite2 person-0001 --never

            All expirations are set in one transaction; documents that do not exist are reported. \
            The exit status is 3 if none exists, 7 if some do not.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @Option(
        help: ArgumentHelp(
            "Date, such as 2030-01-31T12:00, in UTC unless it has a time zone.", valueName: "date"))
    var at: String?
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "Time from now, such as 90s, 15m, 12h, 7d, 2w or 1h30m.", valueName: "duration"))
    var delay: String?
    @Flag(help: "Remove the expiration.") var never = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try documents.validate()
        guard [at != nil, delay != nil, never].count(where: { $0 }) == 1 else {
            throw ValidationError("exactly one of --at, --in and --never is required")
        }
        if let at, TimestampArgument.date(at) == nil {
            throw ValidationError("\(Text.line(at)) is not a date such as 2030-01-31T12:00")
        }
        if let delay, TimestampArgument.duration(delay) == nil {
            throw ValidationError("\(Text.line(delay)) is not a duration such as 90s, 12h or 7d")
        }
    }

    func run() async throws {
        try await ExpirationChange(documents, upgrade, output).run(timestamp())
    }

    private func timestamp() throws -> Int64? {
        if let at { return TimestampArgument.date(at) }
        guard let delay = delay.flatMap({ TimestampArgument.duration($0) }) else { return nil }
        let (timestamp, isTooLarge) = System.milliseconds.addingReportingOverflow(delay)
        guard !isTooLarge else { throw ToolError("--in is too long", status: .usage) }
        return timestamp
    }
}

/// `kvtool expire ls DATABASE`
struct ExpireListCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists documents that expire.",
        discussion: """
            Examples:
              kvtool expire ls people.cblite2
              kvtool expire ls people.cblite2 --limit 10
              kvtool expire ls people.cblite2 --collection hr.staff --json

            Lists those of all collections unless one is named, in the order in which they expire.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of documents.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        try requireNotNegative("--limit", limit)
    }

    func run() async throws {
        try await location.database.read { _, snapshot in
            let collections = try location.collections(in: snapshot)
            var rows = RowOutput(
                "expire.ls", list: "documents",
                [
                    Column("collection", "Collection"), Column("id", "Document", isKey: true),
                    Column("expiration", "Expires"), Column("due", "When"),
                ], output, empty: "(no document expires)")
            let now = System.milliseconds
            try snapshot.forEachExpiring(of: collections.map(\.keyStore)) { item in
                guard rows.count < limit ?? .max else { return false }
                let distance = Expirations.distance(to: item.expiration, from: now)
                try rows.add([
                    .text(collections[item.store].name.description), .text(item.key),
                    .date(item.expiration),
                    .both(distance, program: .bool(item.expiration <= now)),
                ])
                return true
            }
            try rows.finish()
        }
    }
}

/// Sets the expiration of documents in one transaction.
struct ExpirationChange {
    private let documents: SelectedDocuments
    private let upgrade: UpgradeArguments
    private let output: OutputArguments

    init(
        _ documents: SelectedDocuments, _ upgrade: UpgradeArguments, _ output: OutputArguments
    ) {
        self.documents = documents
        self.upgrade = upgrade
        self.output = output
    }

    /// - Parameter timestamp: milliseconds since 1970; nil for never.
    func run(_ timestamp: Int64?) async throws {
        let name = try documents.location.named().name
        let (documents, upgrades) = (documents, upgrade.upgrade)
        let done = try await documents.location.database.write(upgrades: upgrades) { transaction in
            let store = DocumentCollection(name).keyStore
            return try documents.choices(in: transaction).map { choice in
                switch choice {
                case .missing(let id): (id, false)
                case .id(let id): (id, try store.setExpiration(timestamp, of: id, in: transaction))
                }
            }
        }
        let found = done.filter(\.1).map(\.0)
        try report(found, of: name, timestamp)
        try MissingDocument.report(
            done.filter { !$0.1 }.map(\.0), name, found: found.count)
    }

    private func report(_ ids: [String], of name: CollectionName, _ timestamp: Int64?) throws {
        var rows = RowOutput(
            "expire.set", list: "documents",
            [
                Column("collection", "Collection"), Column("id", "Document", isKey: true),
                Column("expiration", "Expires"),
            ], output,
            presentation: .lines { row in
                timestamp == nil
                    ? "\"\(row[1].forPeople)\" does not expire"
                    : "\"\(row[1].forPeople)\" expires \(row[2].forPeople)"
            })
        for id in ids {
            try rows.add([.text(name.description), .text(id), timestamp.map(Cell.date) ?? .none])
        }
        try rows.finish()
    }
}
