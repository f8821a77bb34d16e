internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool diff DATABASE OTHER`
struct DiffCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compares the documents of two databases.",
        discussion: """
            Examples:
              kvtool diff old.cblite2 new.cblite2
              kvtool diff old.cblite2 new.cblite2 'person-*' --deltas --ignore score
              kvtool diff people.cblite2//_default/ada people.cblite2//_default/bob
              kvtool diff old.cblite2 new.cblite2 --ndjson > new.patch

            + marks a document only in the second database, - only in the first, ~ in both with \
            different properties. Values are compared by meaning, not by encoding; revisions are \
            not compared, and blobs only by digest. patch reads the output of --ndjson.

            The exit status is 0 if there is no difference, 8 if there are differences.
            """)

    @OptionGroup var database: DatabaseArguments
    @Argument(help: "The second database.", completion: .directory) var other: String
    @Argument(
        help: "Compare only these IDs; * and ? are wildcards, \\ escapes a character.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var ids: [String] = []
    @Option(
        help: ArgumentHelp("Compare only this collection, NAME or SCOPE.NAME.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.collections(arguments) })
    var collection: String?
    @Flag(help: "Show differences as JSON deltas (default for --json and other formats).")
    var deltas = false
    @Flag(help: "Include both bodies of each document, for patch --reverse.")
    var both = false
    @Flag(help: "Show only the IDs.") var keys = false
    @Flag(help: "Show only the number of differences per collection.") var stat = false
    @Option(
        help: ArgumentHelp(
            "Ignore differences in this property, such as a.b[0]; repeatable.",
            valueName: "path"))
    var ignore: [String] = []
    @Flag(help: "Compare expirations.") var meta = false
    @Flag(help: "Compare tombstones.") var deleted = false
    @OptionGroup var output: OutputArguments

    func validate() throws {
        if keys, deltas || both {
            throw ValidationError("--keys cannot be combined with --deltas or --both")
        }
        if stat, keys || deltas || both {
            throw ValidationError("--stat cannot be combined with --keys, --deltas or --both")
        }
    }

    func run() async throws {
        let comparison = try makeComparison()
        var second = database
        second.database = other
        let otherDatabase = second
        let counts = try await database.read { file, snapshot in
            let right = try otherDatabase.open()
            let run = DiffRun(self, comparison, leftPath: file.path, rightPath: right.path)
            // For a comparison of a database with itself, a second read would wait for this one's
            // end.
            guard right.path != file.path else { return try run.all(snapshot, snapshot) }
            return try right.read { try run.all(snapshot, $0) }
        }
        if counts.damaged > 0 { throw ReportedFailure(status: .damaged) }
        if counts.differences > 0 { throw ReportedFailure(status: .different) }
    }

    private func makeComparison() throws -> DocumentComparison {
        if let collection {
            let name = try CollectionName(argument: collection)
            for address in [database.address, otherAddress] {
                try address.requireSameCollection(name)
            }
        }
        var comparison = DocumentComparison()
        comparison.ignored = try ignore.map { path in
            do {
                return try PropertyPath(parsing: path)
            } catch let error as FleeceError {
                throw ToolError("--ignore \(path): \(error.message)", status: .usage)
            }
        }
        comparison.comparesMetadata = meta
        comparison.comparesTombstones = deleted
        if both {
            comparison.detail = .bodies
        } else if deltas || (!output.isForPeople && !keys && !stat) {
            comparison.detail = .deltas
        }
        return comparison
    }

    /// The part of the second database that the argument names.
    var otherAddress: DatabaseAddress { DatabaseAddress(other) }
}

/// A comparison of two databases, and its output.
private struct DiffRun {
    private let command: DiffCommand
    private let comparison: DocumentComparison
    private let leftPath: String
    private let rightPath: String

    init(
        _ command: DiffCommand, _ comparison: DocumentComparison, leftPath: String,
        rightPath: String
    ) {
        self.command = command
        self.comparison = comparison
        self.leftPath = leftPath
        self.rightPath = rightPath
    }

    func all(_ left: Snapshot, _ right: Snapshot) throws -> CollectionComparison.Counts {
        let pairs = try pairs(left, right)
        return try command.stat ? count(pairs) : list(pairs)
    }

    private var header: JSONObject {
        var header = JSONObject()
        header.add("left", leftPath)
        header.add("right", rightPath)
        return header
    }

    private func list(_ pairs: [CollectionComparison]) throws -> CollectionComparison.Counts {
        var rows = RowOutput(
            "diff", list: "differences", DocumentChange.columns, command.output, header: header,
            presentation: .lines(DocumentChange.line), empty: "(no differences)")
        var counts = CollectionComparison.Counts()
        for pair in pairs { counts = try counts + run(pair) { try rows.add($0.row) } }
        var trailer = JSONObject()
        trailer.add("added", counts.added)
        trailer.add("removed", counts.removed)
        trailer.add("changed", counts.changed)
        trailer.add("same", counts.same)
        try rows.finish(trailer: trailer)
        if command.output.isForPeople, counts.differences > 0 {
            try StandardOutput.current.write(
                "\(counts.added) added, \(counts.removed) removed, \(counts.changed) changed\n")
        }
        return counts
    }

    private func count(_ pairs: [CollectionComparison]) throws -> CollectionComparison.Counts {
        var rows = RowOutput(
            "diff", list: "collections",
            [
                Column("collection", "Collection", isKey: true),
                Column("added", "Added", isNumber: true),
                Column("removed", "Removed", isNumber: true),
                Column("changed", "Changed", isNumber: true),
                Column("same", "Same", isNumber: true), Column("onlyIn", "Only in"),
            ], command.output, header: header)
        var sum = CollectionComparison.Counts()
        for pair in pairs {
            let counts = try run(pair) { _ in }
            let onlyIn: String? =
                try pair.left.exists() ? pair.right.exists() ? nil : "left" : "right"
            try rows.add([
                .text(pair.left.collection.name.description), .number(counts.added),
                .number(counts.removed), .number(counts.changed), .number(counts.same),
                .optional(onlyIn),
            ])
            sum = sum + counts
        }
        try rows.finish()
        return sum
    }

    private func run(
        _ pair: CollectionComparison, _ body: (DocumentChange) throws -> Void
    ) throws -> CollectionComparison.Counts {
        var pair = pair
        guard let leftID = command.database.address.id ?? command.otherAddress.id else {
            try pair.run(DocumentFilter(command.ids), body)
            return pair.counts
        }
        guard DocumentFilter(command.ids).accepts(leftID) else { return pair.counts }
        guard try pair.run(leftID, command.otherAddress.id ?? leftID, body) else {
            throw ToolError(
                "document \"\(Text.line(leftID))\" is in neither database", status: .notFound)
        }
        return pair.counts
    }

    /// Returns the pairs of collections to compare.
    private func pairs(_ left: Snapshot, _ right: Snapshot) throws -> [CollectionComparison] {
        func pair(_ leftName: CollectionName, _ rightName: CollectionName) -> CollectionComparison {
            CollectionComparison(
                .init(snapshot: left, path: leftPath, collection: DocumentCollection(leftName)),
                .init(snapshot: right, path: rightPath, collection: DocumentCollection(rightName)),
                comparison)
        }
        let leftName = command.collection ?? command.database.address.collection
        let rightName = command.collection ?? command.otherAddress.collection
        guard let name = leftName ?? rightName else {
            let names = try left.collectionNames()
            let others = try right.collectionNames().filter { !names.contains($0) }
            return (names + others).map { pair($0, $0) }
        }
        let named = pair(
            try CollectionName(argument: leftName ?? name),
            try CollectionName(argument: rightName ?? name))
        guard try named.left.exists() || named.right.exists() else {
            throw ToolError("neither database has a collection \(name)", status: .notFound)
        }
        return [named]
    }
}
