internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool lscoll DATABASE [PATTERN]`
struct ListCollectionsCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "lscoll", abstract: "Lists the collections of a database.",
        discussion: """
            Examples:
              kvtool lscoll people.cblite2
              kvtool lscoll people.cblite2 'hr.*' --sizes
              kvtool lscoll people.cblite2 --json

            --sizes reads every row, which takes time in large databases.
            """,
        aliases: ["collections"])

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "Include only matching collections; * and ? are wildcards.")
    var pattern: String?
    @Flag(
        name: [.customShort("l"), .customLong("sizes")],
        help: "Include the sizes of bodies and of other document data.")
    var withSizes = false
    @OptionGroup var output: OutputArguments

    func run() async throws {
        try await CollectionList(
            database: database, pattern: pattern, withSizes: withSizes, output: output
        ).write()
    }
}

/// The list of a database's collections.
struct CollectionList {
    let database: DatabaseArguments
    /// The pattern for their names, nil for all.
    let pattern: String?
    let withSizes: Bool
    let output: OutputArguments

    /// Writes the list.
    func write() async throws {
        let sizes = withSizes ? try await sizes(try database.open()) : [:]
        try await database.read { _, snapshot in
            var rows = RowOutput("lscoll", list: "collections", columns, output)
            for name in try snapshot.collectionNames() where matches(name) {
                try rows.add(row(name, snapshot, sizes[name]))
            }
            try rows.finish()
        }
    }

    private func sizes(
        _ file: DataFile
    ) async throws -> [CollectionName: FileStatistics.Store] {
        try await file.statistics().stores.reduce(into: [:]) { sizes, store in
            if let name = CollectionName(store.name) { sizes[name] = store }
        }
    }

    /// The patterns that a name must match: that of the argument, and the collection in the
    /// address. In a shell the address is the current location, which a pattern overrides.
    private var patterns: [String] {
        let addressed =
            OpenShell.current.isOpen && pattern != nil ? nil : database.address.collection
        return [pattern, addressed].compactMap(\.self)
    }

    private func matches(_ name: CollectionName) -> Bool {
        let names = [name.description, "\(name.scope).\(name.name)"]
        return patterns.allSatisfy { text in
            guard let pattern = KeyPattern(text) else { return names.contains(text) }
            return names.contains(where: pattern.matches)
        }
    }

    private var columns: [Column] {
        var columns = [
            Column("collection", "Collection", isKey: true),
            Column("documents", "Documents", isNumber: true),
            Column("deleted", "Deleted", isNumber: true),
            Column("expiring", "Expiring", isNumber: true),
            Column("nextExpiration", "Next expires"),
            Column("lastSequence", "Last sequence", isNumber: true),
        ]
        if withSizes {
            columns += [
                Column("bodyBytes", "Bodies", isNumber: true),
                Column("otherBytes", "Other", isNumber: true),
            ]
        }
        return columns
    }

    private func row(
        _ name: CollectionName, _ snapshot: Snapshot, _ sizes: FileStatistics.Store?
    ) throws -> [Cell] {
        let collection = DocumentCollection(name)
        let (live, deleted) = try collection.count(in: snapshot)
        let next = try collection.keyStore.nextExpiration(in: snapshot)
        let expiring = try collection.keyStore.expiringCount(in: snapshot)
        var row: [Cell] = [
            .text(name.description), .number(live), .number(deleted), .number(expiring),
            next.map { .both(Expirations.distance(to: $0), program: .date($0)) } ?? .none,
            .integer(try collection.keyStore.lastSequence(in: snapshot)),
        ]
        if withSizes {
            row += [
                .bytes(sizes?.bodyBytes ?? 0),
                .bytes((sizes?.extraBytes ?? 0) + (sizes?.keyBytes ?? 0)),
            ]
        }
        return row
    }
}
