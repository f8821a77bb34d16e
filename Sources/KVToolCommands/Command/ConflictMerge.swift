internal import DocumentStore
internal import KVToolCore

/// Merges the revisions of conflicts, in an editor where that is necessary.
struct ConflictMerge: Sendable {
    private let selection: ConflictSelection
    private let upgrade: UpgradeArguments
    private let isDry: Bool
    private let output: OutputArguments

    init(
        _ selection: ConflictSelection, _ upgrade: UpgradeArguments, isDry: Bool,
        _ output: OutputArguments
    ) {
        self.selection = selection
        self.upgrade = upgrade
        self.isDry = isDry
        self.output = output
    }

    func run() async throws {
        if !isDry { try OpenShell.current.requireWritable() }
        let (documents, problems) = try await selection.location.database.read { _, snapshot in
            var documents: [ConflictedDocument] = []
            let problems = try selection.forEach(in: snapshot) { document in
                try Self.requireLive(document)
                documents.append(document)
            }
            return (documents, problems)
        }
        var rows = ResolvedConflict.rows(output, empty: problems.isEmpty ? "(no conflicts)" : nil)
        for document in documents { try rows.add(try await merge(document).row) }
        try rows.finish()
        try ConflictProblem.report(problems, done: documents.count)
    }

    private static func requireLive(_ document: ConflictedDocument) throws {
        guard let deleted = document.sides.first(where: \.isDeleted) else { return }
        throw ConflictProblem(
            message: "\(deleted.name) deletes the document \(Text.line(document.title)), so there "
                + "is nothing to merge; use --take, --delete or --with", status: .failure)
    }

    private func merge(_ document: ConflictedDocument) async throws -> ResolvedConflict {
        let merge = ThreeWayMerge(document)
        guard !isDry else { return ResolvedConflict(document, .save(merge.properties)) }
        guard !merge.conflicts.isEmpty else { return try await save(merge.properties, document) }
        let editor = try DocumentEditor(
            text(of: merge, document), id: document.id, command: DocumentEditor.command(nil))
        let edited = try editor.edit(document.id) { text in
            let new = try DocumentText(text)
            try new.require(id: document.id)
            return try MergedBody.properties(of: new, text)
        }
        do {
            try Interruption.check()
            let resolved = try await save(edited, document)
            editor.remove()
            return resolved
        } catch {
            // The edited text is not lost, whatever has failed.
            StandardError.current.write("the text is in \(editor.path)")
            throw error
        }
    }

    private func text(of merge: ThreeWayMerge, _ document: ConflictedDocument) throws -> [UInt8] {
        var encoder = FleeceEncoder()
        try encoder.write(merge.properties)
        let merged = try FleeceDocument(trusted: encoder.finish())
        var writer = JSONWriter(options: .init(pretty: true))
        try writer.write(
            merged.root.dictionary, after: [("_id", JSONText(quoting: document.id))])
        let paths = merge.conflicts.map { Text.line($0.path.description) }
        let lines = [
            "Revisions that are in conflict have different values of: "
                + paths.joined(separator: ", "),
            "Replace each object with the key <<<<<<< by the value to save, or remove the",
            "property. A revision that is not in such an object does not have the property.",
        ]
        return Array(lines.map { "// \($0)\n" }.joined().utf8) + writer.text.utf8 + [0x0A]
    }

    private func save(
        _ properties: MutableFleeceDictionary, _ document: ConflictedDocument
    ) async throws -> ResolvedConflict {
        let resolution = ConflictedDocument.Resolution.save(properties)
        return try await selection.location.database.write(upgrades: upgrade.upgrade) {
            transaction in
            let collection = DocumentCollection(document.collection)
            let now = try ConflictReader(transaction).document(document.id, in: collection)
            guard let now, now.sides.map(\.id) == document.sides.map(\.id) else {
                throw StoreError(
                    .conflict,
                    "another process has changed document \"\(Text.line(document.id))\"; nothing "
                        + "was written")
            }
            return ResolvedConflict(
                document, resolution, try now.resolve(resolution, in: transaction))
        }
    }
}
