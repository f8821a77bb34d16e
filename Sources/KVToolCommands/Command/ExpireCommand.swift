internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

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
        if let at, TimestampArgument.date(at) == nil {
            throw ValidationError("\(Text.line(at)) is no date as 2030-01-31T12:00")
        }
        if let delay, TimestampArgument.duration(delay) == nil {
            throw ValidationError("\(Text.line(delay)) is no length of time as 90s, 12h or 7d")
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
        commandName: "ls", abstract: "Lists the documents that expire.",
        discussion: """
            Examples:
              kvtool expire ls people.cblite2
              kvtool expire ls people.cblite2 --limit 10
              kvtool expire ls people.cblite2 --collection hr.staff --json

            Those of all collections, unless one is named; those that expire first stand first.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many.", valueName: "n"))
    var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try place.validate()
        try requireNotNegative("--limit", limit)
    }

    func run() async throws {
        try await place.database.read { _, snapshot in
            let collections = try place.collections(in: snapshot)
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

/// Sets when documents expire, in one transaction.
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

    /// - Parameter moment: milliseconds since 1970; nil for never.
    func run(_ timestamp: Int64?) async throws {
        let name = try documents.place.named().name
        let (documents, upgrades) = (documents, upgrade.upgrade)
        let done = try await documents.place.database.write(upgrades: upgrades) { transaction in
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
