internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool cat DATABASE ID…`
struct CatCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat", abstract: "Writes documents as JSON.")

    @OptionGroup var documents: DocumentArguments
    @Flag(help: "One line a document.") var raw = false
    @Flag(help: "The revision, sequence, flags and expiration too.") var meta = false
    @Flag(help: "Deleted documents too.") var deleted = false

    func run() throws {
        let file = try documents.database.open()
        let collection = try documents.collection.named()
        var status = ExitStatus.success
        try file.read { snapshot in
            for id in documents.ids {
                do {
                    try write(id, collection, snapshot)
                } catch let error as StoreError where error.isOfOneDocument {
                    StandardError.writeAboutSubject(error.message)
                    status = ExitStatus(error)
                }
            }
        }
        if status != .success { throw ReportedFailure(status: status) }
    }

    private func write(_ id: String, _ collection: Collection, _ snapshot: Snapshot) throws {
        guard
            let document = try collection.get(id, includesDeleted: true, in: snapshot)
        else {
            throw StoreError(
                .notFound,
                "document \"\(Text.line(id))\" is not in the collection \(collection.name)")
        }
        guard deleted || !document.isDeleted else {
            throw StoreError(
                .notFound,
                "document \"\(Text.line(id))\" is deleted; --deleted shows what is left of it")
        }
        var options = JSONWriter.Options()
        options.pretty = !raw
        var writer = JSONWriter(options: options)
        try document.write(to: &writer, metadata: meta ? metadata(document) : [])
        try StandardOutput.write(writer.text.utf8 + [0x0A])
    }

    private func metadata(_ document: Document) -> [(key: String, json: JSONText)] {
        var properties: [(key: String, json: JSONText)] = []
        func add(_ key: String, _ write: (inout JSONText) -> Void) {
            var text = JSONText()
            write(&text)
            properties.append((key, text))
        }
        if let revision = document.revisionID {
            add("_rev") { $0.append(quoted: revision.description) }
        }
        add("_sequence") { $0.append(document.sequence) }
        add("_flags") { text in
            text.append("[")
            for (index, name) in document.flags.names.enumerated() {
                if index > 0 { text.append(",") }
                text.append(quoted: name)
            }
            text.append("]")
        }
        if let expiration = document.expiration { add("_expiration") { $0.append(expiration) } }
        return properties
    }
}

extension StoreError {
    /// Whether other documents may still be readable.
    var isOfOneDocument: Bool {
        has(.notFound) || has(.corruptData) || has(.corruptRevisionData)
    }
}
