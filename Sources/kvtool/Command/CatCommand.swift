internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool cat DATABASE ID…`
struct CatCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Writes documents as JSON.",
        discussion: """
            Examples:
              kvtool cat people.cblite2 person-0001
              kvtool cat people.cblite2 'person-00*' --raw --key name --key age
              kvtool cat people.cblite2 person-0001 --path 'contact.address.state'
              kvtool cat people.cblite2//_default/person-0001 --meta

            Data, which JSON does not have, is written as base64. A document that is not there \
            ends the command with 3, after the others have been written.
            """,
        aliases: ["get"])

    @OptionGroup var selection: SelectionArguments
    @Option(
        name: [.customShort("k"), .long],
        help: ArgumentHelp("Only this property; can be given several times.", valueName: "name"))
    var key: [String] = []
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
        if path != nil, !key.isEmpty {
            throw ValidationError("--path and --key are two ways to choose: give one")
        }
    }

    func run() async throws {
        let path = try path.map { try BodyPath.parse($0) }
        let status = try await selection.place.database.read { _, snapshot in
            var writer = DocumentOutput(
                form: form, keys: key, path: path, withMetadata: meta, output)
            let collection = try selection.place.named()
            var status = ExitStatus.success
            try selection.forEach(in: snapshot, includesDeleted: true) { choice in
                do {
                    switch choice {
                    case .id(let id), .missing(let id):
                        try writer.write(document(id, collection, snapshot))
                    }
                } catch let error as StoreError where error.isOfOneDocument {
                    StandardError.writeAboutSubject(error.message, status: ExitStatus(error))
                    status = ExitStatus(error)
                }
            }
            try writer.finish()
            return status
        }
        if status != .success { throw ReportedFailure(status: status) }
    }

    private func document(
        _ id: String, _ collection: Collection, _ snapshot: Snapshot
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

extension StoreError {
    /// Whether other documents may still be readable.
    var isOfOneDocument: Bool {
        has(.notFound) || has(.corruptData) || has(.corruptRevisionData)
    }
}
