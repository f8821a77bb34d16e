internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

/// `kvtool cat DATABASE ID…`
struct CatCommand: SelectionCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Writes documents as JSON.",
        discussion: """
            Examples:
              kvtool cat people.cblite2 person-0001
              kvtool cat people.cblite2 'person-00*' --raw -k name -k age
              kvtool cat people.cblite2 person-0001 --path 'contact.address.state'
              kvtool cat people.cblite2//_default/person-0001 --meta

            Data values, which JSON lacks, are written as base64. If a document does not exist, \
            the others are still written and the exit status is 7, or 3 if none of them exists.
            """,
        aliases: ["get"])

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @Option(
        name: [.customShort("k"), .customLong("property")],
        help: ArgumentHelp("Write only this property; repeatable.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.properties(arguments) })
    var properties: [String] = []
    @Option(help: ArgumentHelp("Write only the value at this path, as name.first or likes[0]."))
    var path: String?
    @Option(
        help: ArgumentHelp("Write this revision, if it is stored; a prefix of its ID is enough."))
    var rev: String?
    @Flag(exclusivity: .exclusive) var form = JSONForm.pretty
    @Flag(help: "Include revision, sequence, flags and expiration.") var meta = false
    @Flag(help: "Include deleted documents.") var deleted = false

    @OptionGroup var output: OutputArguments

    func validate() throws {
        try documents.validate()
        if path != nil, !properties.isEmpty {
            throw ValidationError("--path and --property exclude each other")
        }
    }

    func run() async throws {
        let path = try path.map { try BodyPath.parse($0) }
        try await location.database.read { file, snapshot in
            // cblite's --key chooses properties.
            if database.key != nil, file.options.encryption == nil {
                throw ToolError(
                    "--key is for encrypted databases, and \(file.path) is not encrypted; "
                        + "--property chooses properties", status: .usage)
            }
            // Damaged shared keys are reported once, not for each document.
            _ = try snapshot.requireSharedKeys()
            var writer = DocumentOutput(
                form: form, keys: properties, path: path, withMetadata: meta, output)
            let collection = try location.named()
            var (written, missing, damaged) = (0, 0, 0)
            // A pattern does not match deleted documents; a named revision may belong to one.
            let includesDeleted = deleted || rev != nil
            let hasMetDamage = try documents.forEach(
                in: snapshot, includesDeleted: includesDeleted
            ) { choice in
                do {
                    switch choice {
                    case .id(let id), .missing(let id):
                        try writer.write(document(id, collection, snapshot))
                    }
                    written += 1
                } catch let error as StoreError where error.isOfOneDocument {
                    StandardError.current.writeAboutSubject(
                        error.messageForPeople, status: ExitStatus(error))
                    if error.has(.notFound) { missing += 1 } else { damaged += 1 }
                }
            }
            try writer.finish()
            if hasMetDamage { try UnreadableBodies.report() }
            if damaged > 0 { throw ReportedFailure(status: .damaged) }
            guard missing == 0 else {
                throw ReportedFailure(status: MissingDocument.status(found: written))
            }
        }
    }

    private func document(
        _ id: String, _ collection: DocumentCollection, _ snapshot: Snapshot
    ) throws -> WrittenDocument {
        guard
            let document = try collection.get(id, includesDeleted: true, in: snapshot)
        else {
            throw StoreError(.notFound, MissingDocument.message(id, collection.name))
        }
        if let rev {
            let revision = try RevisionListItem.named(rev, of: document, in: collection, snapshot)
            return WrittenDocument(document, revision)
        }
        guard deleted || !document.isDeleted else {
            throw StoreError(
                .notFound,
                "document \"\(Text.line(id))\" is deleted; --deleted shows what is left of it")
        }
        return WrittenDocument(document)
    }
}
