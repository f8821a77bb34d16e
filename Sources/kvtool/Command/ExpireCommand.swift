internal import ArgumentParser
internal import DataFileCore

/// `kvtool expire ls|set|clear|run DATABASE …`
struct ExpireCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expire", abstract: "Says when documents expire, and changes it.",
        discussion: """
            Examples:
              kvtool expire ls people.cblite2
              kvtool expire set people.cblite2 person-0001 'draft-*' --in 7d
              kvtool expire people.cblite2 person-0001 --at 2030-01-31T12:00
              kvtool expire clear people.cblite2 --where 'keep = true'
              kvtool expire run people.cblite2 --dry-run

            A document whose time has come is purged by the application, or by expire run. Its \
            revision and its sequence stay as they are when the time is set.
            """,
        subcommands: [
            ExpireListCommand.self, ExpireSetCommand.self, ExpireClearCommand.self,
            ExpireRunCommand.self,
        ], defaultSubcommand: ExpireSetCommand.self)
}

/// `kvtool expire ls DATABASE`
struct ExpireListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "Lists the documents that expire.",
        discussion: """
            Those of all collections, unless one is named; those that expire first stand first.
            """)

    @OptionGroup var place: CollectionArguments
    @Option(help: ArgumentHelp("At most this many.", valueName: "n")) var limit: Int?
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more") }
    }

    func run() async throws {
        try await place.database.read { _, snapshot in
            let collections = try place.collections(in: snapshot)
            var rows = RowOutput(
                "expire", list: "documents",
                [
                    Column("collection", "Collection"), Column("id", "Document", isKey: true),
                    Column("expiration", "Expires"), Column("isDue", "When"),
                ], output, empty: "(no document expires)")
            let now = System.milliseconds
            try snapshot.forEachExpiring(of: collections.map(\.keyStore)) { item in
                guard rows.count < limit ?? .max else { return false }
                let distance = Expirations.distance(to: item.expiration, from: now)
                try rows.add([
                    .text(collections[item.store].name.description), .text(item.key),
                    .date(item.expiration),
                    .both(distance, program: .truth(item.expiration <= now)),
                ])
                return true
            }
            try rows.finish()
        }
    }
}

/// `kvtool expire set DATABASE ID… --in 7d`
struct ExpireSetCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Sets when documents expire.")

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
        try await ExpirationChange(selection, upgrade, output).run(moment())
    }

    private func moment() throws -> Int64? {
        if let at { return MomentText.date(at) }
        guard let delay = delay.flatMap({ MomentText.duration($0) }) else { return nil }
        let (moment, isTooLarge) = System.milliseconds.addingReportingOverflow(delay)
        guard !isTooLarge else { throw ToolError("--in is too long", status: .usage) }
        return moment
    }
}

/// `kvtool expire clear DATABASE ID…`
struct ExpireClearCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Lets documents expire no more.")

    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await ExpirationChange(selection, upgrade, output).run(nil)
    }
}

/// Sets when documents expire, in one transaction.
private struct ExpirationChange {
    let selection: SelectionArguments
    let upgrade: UpgradeArguments
    let output: OutputArguments

    init(
        _ selection: SelectionArguments, _ upgrade: UpgradeArguments, _ output: OutputArguments
    ) {
        self.selection = selection
        self.upgrade = upgrade
        self.output = output
    }

    func run(_ moment: Int64?) async throws {
        let name = try selection.place.named().name
        let (selection, upgrades) = (selection, upgrade.upgrade)
        let done = try await selection.place.database.write(upgrades: upgrades) { transaction in
            let store = Collection(name).keyStore
            return try selection.choices(in: transaction).map { choice in
                switch choice {
                case .missing(let id): (id, false)
                case .id(let id): (id, try store.setExpiration(moment, of: id, in: transaction))
                }
            }
        }
        var rows = RowOutput(
            "expire", list: "documents",
            [
                Column("collection", "Collection"), Column("id", "Document", isKey: true),
                Column("expiration", "Expires"),
            ], output,
            presentation: .lines { row in
                moment == nil
                    ? "\"\(row[1].forPeople)\" does not expire"
                    : "\"\(row[1].forPeople)\" expires \(row[2].forPeople)"
            })
        for (id, isFound) in done where isFound {
            try rows.add([
                .text(name.description), .text(id), moment.map(Cell.date) ?? .none,
            ])
        }
        try rows.finish()
        for (id, isFound) in done where !isFound {
            MissingDocument.report(id, name)
        }
        if done.contains(where: { !$0.1 }) { throw ReportedFailure(status: .notFound) }
    }
}

/// `kvtool expire run DATABASE`
struct ExpireRunCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Purges the documents whose time has come.",
        discussion: "Those of all collections, unless one is named.")

    @OptionGroup var place: CollectionArguments
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
    var isDry = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let now = System.milliseconds
        let purged =
            isDry
            ? try await place.database.read { _, snapshot in
                try place.collections(in: snapshot).map { collection in
                    let due = try collection.keyStore.expiringCount(upTo: now, in: snapshot)
                    return (collection.name, due)
                }
            }
            : try await place.database.write(upgrades: upgrade.upgrade) { transaction in
                try place.collections(in: transaction).map { collection in
                    (
                        collection.name,
                        try collection.keyStore.purgeExpired(at: now, in: transaction)
                    )
                }
            }
        var rows = RowOutput(
            "expire", list: "collections",
            [
                Column("collection", "Collection", isKey: true), Column("action", "Action"),
                Column("documents", "Documents", isNumber: true),
            ], output,
            presentation: .lines { "\($0[1].forPeople) \($0[2].forPeople) of \($0[0].forPeople)" })
        for (name, count) in purged where count > 0 || !output.isForPeople {
            try rows.add([
                .text(name.description),
                isDry
                    ? .both("Would have purged", program: .text("none"))
                    : .both("Purged", program: .text("purged")),
                .both(Text.count(count, "document"), program: .number(count)),
            ])
        }
        try rows.finish()
        if output.isForPeople, purged.allSatisfy({ $0.1 == 0 }) {
            StandardError.writeUnprefixed("(no document has expired)")
        }
    }
}

extension CollectionArguments {
    /// The collection that is named, all of the file if none is.
    ///
    /// Throws `.notFound` if there is no such collection.
    fileprivate func collections(in snapshot: Snapshot) throws -> [Collection] {
        guard collection == nil, scope == nil, database.address.collection == nil else {
            return [try named()]
        }
        return try snapshot.collectionNames().map { Collection($0) }
    }
}
