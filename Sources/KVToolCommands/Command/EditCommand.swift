internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool edit DATABASE ID…`
struct EditCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Opens documents in an editor and saves the changes.",
        discussion: """
            Examples:
              kvtool edit people.cblite2 person-0001
              kvtool edit people.cblite2 person-0001 person-0002 --with 'code --wait'
              kvtool edit people.cblite2 new-one --create

            The editor is --with, $VISUAL, $EDITOR or vi, and may have arguments. The edited text \
            may be JSON5. The database is not locked while the editor runs: if another process \
            changes the document, nothing is written, the exit status is 6, and the text stays in \
            its file.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @Option(help: ArgumentHelp("The editor, such as vim or 'code --wait'.", valueName: "editor"))
    var with: String?
    @Flag(help: "Create the document if it does not exist.") var create = false
    @Flag(help: "Show the document on one line.") var raw = false
    @Flag(help: "Show the document as JSON5, without optional quotes.") var json5 = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    /// The outcome for one document.
    private struct Done: Sendable {
        let id: String
        let delta: FleeceDelta?
        var saved: DocumentCollection.Saved?
    }

    func run() async throws {
        let ids = try await location.database.read { _, snapshot in
            try documents.choices(in: snapshot).map { choice in
                switch choice {
                case .id(let id): (id, true)
                case .missing(let id): (id, false)
                }
            }
        }
        for (id, isFound) in ids where !isFound && (!create || KeyPattern(id) != nil) {
            throw StoreError(
                .notFound,
                MissingDocument.message(id, try location.named().name)
                    + (KeyPattern(id) == nil ? "; --create creates it" : ""))
        }
        for (id, isFound) in ids where !isFound {
            try ToolError.asUsage { try DocumentID.validate(id) }
        }
        try OpenShell.current.requireWritable()
        var rows = RowOutput(
            "edit", list: "documents",
            [
                Column("id", "Document", isKey: true), Column("action", "Action"),
                Column("revision", "Revision"), Column("sequence", "Sequence", isNumber: true),
                Column("delta", "Change"),
            ], output, presentation: .lines { Self.line($0) })
        for (id, _) in ids { try rows.add(row(await edit(id))) }
        try rows.finish()
    }

    private func edit(_ id: String) async throws -> Done {
        let collection = try location.named()
        let old = try await location.database.read { _, snapshot in
            try collection.get(id, in: snapshot)
        }
        let shown: [UInt8]
        do {
            shown = try text(of: old, id)
        } catch let error as FleeceError {
            throw StoreError.damaged(document: id, error)
        }
        let editor = try DocumentEditor(
            shown, id: id, command: DocumentEditor.command(with))
        let new = try editor.edit(id) { text in
            let new = try DocumentText(text)
            try new.require(id: id)
            guard try new.value().dictionary != nil else {
                throw ToolError("a document's body must be an object")
            }
            return new
        }
        let before = try old.map { try $0.properties?.value ?? FleeceDocument(json: "{}").root }
        let delta = try FleeceDelta(from: before, to: new.value())
        if old != nil, delta.isEmpty {
            editor.remove()
            return Done(id: id, delta: nil)
        }
        do {
            try Interruption.check()
            let saved = try await save(new, over: old, id, in: collection)
            editor.remove()
            return Done(id: id, delta: delta, saved: saved)
        } catch {
            // The edited text is not lost, whatever has failed.
            StandardError.current.write("the text is in \(editor.path)")
            throw error
        }
    }

    private func text(of document: Document?, _ id: String) throws -> [UInt8] {
        var writer = JSONWriter(options: .init(pretty: !raw))
        try writer.write(document?.properties, after: [("_id", JSONText(quoting: id))])
        return (json5 ? JSON5Keys.unquoted(writer.text.utf8) : writer.text.utf8) + [0x0A]
    }

    private func save(
        _ new: DocumentText, over old: Document?, _ id: String, in collection: DocumentCollection
    ) async throws -> DocumentCollection.Saved {
        let database = location.database
        let saved = try await database.write(upgrades: upgrade.upgrade) { transaction in
            guard let old else {
                guard try collection.get(id, in: transaction) == nil else {
                    return nil as DocumentCollection.Saved?
                }
                return try collection.save(id, in: transaction) { try new.write(to: &$0) }
            }
            return try collection.save(over: old, in: transaction) { try new.write(to: &$0) }.saved
        }
        guard let saved else {
            throw StoreError(
                .conflict,
                "another process has changed document \"\(Text.line(id))\"; nothing was written")
        }
        return saved
    }

    private func row(_ done: Done) -> [Cell] {
        let action =
            done.saved.map { $0.isNew ? "created" : "updated" } ?? "none"
        return [
            .text(done.id), .text(action), .optional(done.saved?.revisionID.description),
            done.saved.map { .integer($0.sequence) } ?? .none,
            done.delta.map { .json($0.json) } ?? .none,
        ]
    }

    private static func line(_ row: [Cell]) -> String {
        let id = row[0].forPeople
        guard row[1].plain != "none" else { return "No change to \"\(id)\"" }
        let title = row[1].plain == "created" ? "Created" : "Updated"
        return "\(title) \"\(id)\", revision \(row[2].forPeople), sequence \(row[3].forPeople)\n"
            + "  \(row[4].forPeople)"
    }
}
