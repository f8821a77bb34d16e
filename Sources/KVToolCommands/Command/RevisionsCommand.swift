internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool revs DATABASE ID`
struct RevisionsCommand: CollectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "revs", abstract: "Shows the stored revisions of a document.",
        discussion: """
            Examples:
              kvtool revs people.cblite2 person-0001
              kvtool revs people.cblite2 person-0001 --body 2-0f3a
              kvtool revs people.cblite2 person-0001 --diff 1-d706 2-0f3a

            Each revision follows the one that replaced it. Flags: D deleted, X branch closed when \
            a conflict was resolved, C conflict, A attachments, K body is retained, L leaf. A \
            revision without a size has no body. A prefix of a revision ID is enough.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The document ID, unless DATABASE names it.",
        completion: .custom { arguments, _, _ in Completion.documents(arguments) })
    var id: String?
    @Option(help: ArgumentHelp("Write the body of this revision.", valueName: "revision"))
    var body: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Write the difference of two revisions as a JSON delta.",
            valueName: "old> <new"))
    var diff: [String] = []
    @Flag(help: "Write the body or delta on one line.") var raw = false
    @Flag(help: "Include all remotes of the database.") var remotes = false
    @OptionGroup var output: OutputArguments

    /// The data to show.
    private struct Report: Sendable {
        let document: Document
        let revisions: [RevisionListItem]
        let isTree: Bool
        let remotes: [(number: Int, address: String)]

        /// In a version vector only the current revision has a sequence, that of the row.
        func sequence(of revision: RevisionListItem) -> Int64? {
            revision.isCurrent
                ? document.sequence : revision.sequence.flatMap { Int64(exactly: $0) }
        }
    }

    func validate() throws {
        try location.validate()
        guard location.database.address.id != nil || id != nil else {
            throw ValidationError("Missing expected argument '<id>'")
        }
        guard diff.isEmpty || diff.count == 2 else {
            throw ValidationError("--diff takes two revisions, after the ID")
        }
        guard body == nil || diff.isEmpty else {
            throw ValidationError("--body and --diff exclude each other")
        }
    }

    func run() async throws {
        let report = try await location.database.read { _, snapshot in
            try self.loaded(snapshot)
        }
        let id = report.document.id
        if let body {
            let revision = try RevisionListItem.named(body, of: report.revisions, id)
            return try write(revision, id)
        }
        if diff.count == 2 {
            let ends = try diff.map { try RevisionListItem.named($0, of: report.revisions, id) }
            return try write(from: ends[0], to: ends[1], id)
        }
        try write(report)
    }

    private func loaded(_ snapshot: Snapshot) throws -> Report {
        let collection = try location.named()
        let id = location.database.address.id ?? id ?? ""
        guard
            let document = try collection.get(id, includesDeleted: true, in: snapshot),
            let history = try collection.history(of: id, in: snapshot)
        else {
            throw StoreError(.notFound, MissingDocument.message(id, collection.name))
        }
        let remotes = try snapshot.remotes().map { (number: $0.value, address: $0.key) }
        return Report(
            document: document,
            revisions: try history.revisionList(),
            isTree: history.tree != nil, remotes: remotes.sorted { $0.number < $1.number })
    }

    private func write(_ revision: RevisionListItem, _ id: String) throws {
        guard output.isForPeople else {
            var object = header("revs", id)
            object.add("revision", revision.id.description)
            object.add("body", try json(revision, pretty: false))
            return try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        }
        try StandardOutput.current.write(json(revision, pretty: !raw).utf8 + [0x0A])
    }

    private func json(_ revision: RevisionListItem, pretty: Bool) throws -> JSONText {
        var writer = JSONWriter(options: .init(pretty: pretty))
        try writer.write(revision.value())
        return writer.text
    }

    private func write(
        from old: RevisionListItem, to new: RevisionListItem, _ id: String
    ) throws {
        let delta = try FleeceDelta(from: old.value(), to: new.value())
        guard output.isForPeople else {
            var object = header("revs", id)
            object.add("from", old.id.description)
            object.add("to", new.id.description)
            object.add("delta", delta.json)
            return try StandardOutput.current.write(object.finished().utf8 + [0x0A])
        }
        var writer = JSONWriter(options: .init(pretty: !raw))
        try writer.write(FleeceDocument(json: delta.json.string).root)
        try StandardOutput.current.write(writer.text.utf8 + [0x0A])
    }

    private func header(_ schema: String, _ id: String) -> JSONObject {
        var object = JSONObject()
        object.add("schema", OutputSchema.name(schema))
        object.add("id", id)
        return object
    }
}

extension RevisionsCommand {
    private func write(_ report: Report) throws {
        var header = JSONObject()
        header.add("collection", try location.named().name.description)
        header.add("id", report.document.id)
        header.add("kind", report.isTree ? "tree" : "vector")
        if case .vector(let vector) = report.document.revisionID {
            header.add("vector", vector.text)
        }
        var rows = RowOutput(
            "revs", list: "revisions",
            [
                Column("revision", "Revision", isKey: true), Column("parent", ""),
                Column("flags", "Flags"), Column("sequence", "Sequence", isNumber: true),
                Column("bytes", "Size", isNumber: true), Column("current", ""),
                Column("remotes", "Remotes"),
            ], output, header: header, empty: "(no revisions)")
        let prefixes = RevisionDrawing.prefixes(parents: report.revisions.map(\.parent))
        for (revision, prefix) in zip(report.revisions, prefixes) {
            try rows.add(row(revision, prefix, report))
        }
        try rows.finish(trailer: trailer(report))
        guard output.isForPeople else { return }
        for remote in shown(report) {
            try StandardOutput.current.write(
                "Remote \(remote.number): \(Text.line(remote.address))\n")
        }
    }

    private func row(
        _ revision: RevisionListItem, _ prefix: String, _ report: Report
    ) -> [Cell] {
        let id = revision.id.description
        let parent = revision.parent.map { report.revisions[$0].id.description }
        return [
            .both(prefix + id, program: .text(id)),
            .both("", program: .optional(parent)),
            .both(revision.letters, program: .list(revision.names)),
            report.sequence(of: revision).map(Cell.integer) ?? .none,
            // A revision without bytes has no body: an empty object has two bytes.
            revision.bodySize.flatMap { $0 > 0 ? .bytes($0) : nil } ?? .none,
            .both(revision.isCurrent ? "current" : "", program: .bool(revision.isCurrent)),
            .list(revision.remotes.map(String.init)),
        ]
    }

    /// Returns the remotes that have a revision of the document, or all with `--remotes`.
    private func shown(_ report: Report) -> [(number: Int, address: String)] {
        let used = Set(report.revisions.flatMap(\.remotes))
        return report.remotes.filter { remotes || used.contains($0.number) }
    }

    private func trailer(_ report: Report) -> JSONObject {
        var trailer = JSONObject()
        trailer.add(
            "remotes",
            shown(report).map { remote in
                var object = JSONObject()
                object.add("number", remote.number)
                object.add("address", remote.address)
                return object.finished()
            })
        return trailer
    }
}

extension RevisionListItem {
    private var marks: [(letter: String, name: String, isSet: Bool)] {
        [
            ("D", "deleted", isDeleted), ("X", "closed", isClosed),
            ("C", "conflict", isConflict), ("A", "attachments", hasAttachments),
            ("K", "keepsBody", keepsBody), ("L", "leaf", isLeaf),
            ("R", "rejected", isRejected), ("U", "unresolved", isUnresolved),
            ("", "legacy", isLegacy),
        ]
    }

    /// The letters of the flags that are set, a dash for each that is not.
    fileprivate var letters: String {
        marks.prefix(6).map { $0.isSet ? $0.letter : "-" }.joined()
    }

    /// The names of the flags that are set.
    fileprivate var names: [String] { marks.filter(\.isSet).map(\.name) }
}
