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

            Data, which JSON does not have, is written as base64. The others are written \
            where one is not there: the command ends with 7 then, with 3 if none is there.
            """,
        aliases: ["get"])

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @OptionGroup var selection: SelectionArguments
    @Option(
        name: [.customShort("k"), .customLong("property")],
        help: ArgumentHelp("Only this property; can be given several times.", valueName: "name"),
        completion: .custom { arguments, _, _ in Completion.properties(arguments) })
    var properties: [String] = []
    @Option(help: ArgumentHelp("Only what this path leads to, as name.first or likes[0]."))
    var path: String?
    @Option(
        help: ArgumentHelp("This revision, if it is kept, or the beginning of its id."))
    var rev: String?
    @Flag(exclusivity: .exclusive) var form = JSONForm.pretty
    @Flag(help: "The revision, sequence, flags and expiration too.") var meta = false
    @Flag(help: "Deleted documents too.") var deleted = false

    @OptionGroup var output: OutputArguments

    func validate() throws {
        try documents.validate()
        if path != nil, !properties.isEmpty {
            throw ValidationError("--path and --property are two ways to choose: give one")
        }
    }

    func run() async throws {
        let path = try path.map { try BodyPath.parse($0) }
        try await place.database.read { file, snapshot in
            // The original chooses properties by that.
            if database.key != nil, file.options.encryption == nil {
                throw ToolError(
                    "--key is for encrypted databases, and \(file.path) is none; --property "
                        + "chooses properties", status: .usage)
            }
            // That they are damaged is said once, not of each document.
            _ = try snapshot.requireSharedKeys()
            var writer = DocumentOutput(
                form: form, keys: properties, path: path, withMetadata: meta, output)
            let collection = try place.named()
            var (written, missing, damaged) = (0, 0, 0)
            // A pattern does not mean what is deleted, but of a revision that is named.
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
