internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool mv DATABASE ID… COLLECTION`
struct MoveCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv", abstract: "Moves documents to another collection.",
        usage: "kvtool mv <database> [<ids> ...] <collection> [<options>]",
        discussion: """
            Examples:
              kvtool mv people.cblite2 person-0001 person-0002 archive
              kvtool mv people.cblite2 'draft-*' hr.drafts --dry-run
              kvtool mv people.cblite2 --where 'age > 99' archive --create
              kvtool mv people.cblite2 ada people --collection hr.staff --rename ada-lovelace

            The last argument is the collection that they move to. All are moved in one \
            transaction: if a document with the same ID exists there, nothing is moved and the \
            exit status is 6. Revisions, expiration and blobs move as well; in the old collection \
            the documents count as purged.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @Option(
        help: ArgumentHelp("New ID, for a single document.", valueName: "id"))
    var rename: String?
    @Flag(help: "Create the collection if it does not exist.") var create = false
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what would be done, without doing it.")
    var isDry = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    /// The outcome for one document.
    private struct Done: Sendable {
        let id: String
        let newID: String
        let isFound: Bool
        var sequence: Int64?
    }

    func validate() throws {
        try documents.validate()
        guard sources.isGiven, !selection.ids.isEmpty else {
            throw ValidationError("name the documents first, then the collection that they move to")
        }
    }

    func run() async throws {
        let target = DocumentCollection(try CollectionName(argument: selection.ids.last ?? ""))
        if let rename { try ToolError.asUsage { try DocumentID.validate(rename) } }
        if rename == nil, try target == location.named() {
            throw ToolError(
                "the documents are in the collection \(target.name) already; name another one, or "
                    + "a new ID with --rename", status: .usage)
        }
        let done =
            isDry
            ? try await location.database.read { _, snapshot in
                try requireTarget(target, snapshot)
                return try ids(in: snapshot).map { id in
                    Done(id: id.id, newID: rename ?? id.id, isFound: id.isFound)
                }
            }
            : try await location.database.write(upgrades: upgrade.upgrade) { transaction in
                if create { try target.create(in: transaction) }
                try requireTarget(target, transaction)
                return try ids(in: transaction).map { id in
                    guard id.isFound else { return Done(id: id.id, newID: "", isFound: false) }
                    return try move(id.id, to: target, transaction)
                }
            }
        try report(done, target)
    }

    /// All arguments but the last, which is the collection.
    private var sources: SelectedDocuments {
        var arguments = selection
        if !arguments.ids.isEmpty { arguments.ids.removeLast() }
        return SelectedDocuments(location: location, arguments: arguments)
    }

    private func requireTarget(_ target: DocumentCollection, _ snapshot: Snapshot) throws {
        guard !create, try !target.exists(in: snapshot) else { return }
        throw ToolError(
            "\(location.database.path) has no collection \(target.name); --create creates it",
            status: .notFound)
    }

    private func ids(in snapshot: Snapshot) throws -> [(id: String, isFound: Bool)] {
        let ids = try sources.choices(in: snapshot).map { choice in
            switch choice {
            case .id(let id): (id: id, isFound: true)
            case .missing(let id): (id: id, isFound: false)
            }
        }
        if rename != nil, ids.count > 1 {
            throw ToolError(
                "--rename is for one document, not \(ids.count)", status: .usage)
        }
        return ids
    }

    private func move(
        _ id: String, to target: DocumentCollection, _ transaction: Transaction
    ) throws -> Done {
        let source = try location.named()
        let newID = rename ?? id
        let result =
            try source == target
            ? source.keyStore.rename(id, to: newID, in: transaction)
            : source.keyStore.move(id, to: target.keyStore, as: rename, in: transaction)
        guard case .saved(let sequence, _) = result else {
            throw StoreError(
                .conflict,
                "the collection \(target.name) has a document or tombstone "
                    + "\"\(Text.line(newID))\"; nothing was moved")
        }
        return Done(id: id, newID: newID, isFound: true, sequence: sequence)
    }

    private func report(_ done: [Done], _ target: DocumentCollection) throws {
        var rows = RowOutput(
            "mv", list: "documents",
            [
                Column("id", "Document", isKey: true), Column("action", "Action"),
                Column("collection", "Collection"), Column("newID", "New ID"),
                Column("sequence", "Sequence", isNumber: true),
            ], output,
            presentation: .lines {
                "\($0[1].forPeople) \"\($0[0].forPeople)\" to \($0[2].forPeople)\($0[3].forPeople)"
            }, empty: done.isEmpty ? "(no documents)" : nil)
        for item in done where item.isFound {
            let isRenamed = !item.newID.utf8.elementsEqual(item.id.utf8)
            try rows.add([
                .text(item.id),
                isDry
                    ? .both("Would have moved", program: .text("none"))
                    : .both("Moved", program: .text("moved")),
                .text(target.name.description),
                .both(isRenamed ? " as \"\(item.newID)\"" : "", program: .text(item.newID)),
                item.sequence.map(Cell.integer) ?? .none,
            ])
        }
        try rows.finish()
        try MissingDocument.report(
            done.filter { !$0.isFound }.map(\.id), location.named().name, found: rows.count)
    }
}

extension KeyStore {
    /// Gives a record another key and a new sequence; the old key counts as purged.
    ///
    /// Returns nil if the record does not exist, `.conflict` if the new key is in use.
    fileprivate func rename(
        _ key: String, to newKey: String, in transaction: Transaction
    ) throws -> PutResult? {
        guard let record = try get(key, in: transaction) else { return nil }
        let update = RecordUpdate(
            newKey, version: record.version, body: record.body, extra: record.extra,
            flags: record.flags, expecting: .absent)
        let result = try put(update, in: transaction)
        guard case .saved = result else { return .conflict }
        if let expiration = record.expiration {
            try setExpiration(expiration, of: newKey, in: transaction)
        }
        try purge(key, in: transaction)
        return result
    }
}
