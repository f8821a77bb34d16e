package import DocumentStore
internal import StoreTools

/// Detects documents that a query encountered and could not read. Damaged bodies have no properties
/// in a query, so the result may be wrong without being empty.
package struct UnreadableBodies {
    private let before: Int

    /// Starts counting, before the query runs.
    package init(in snapshot: Snapshot) throws { before = try snapshot.unreadableBodies() }

    /// Whether any unreadable bodies were encountered since.
    package func wereEncountered(in snapshot: Snapshot) throws -> Bool {
        try snapshot.unreadableBodies() > before
    }

    /// Reports unreadable bodies, and ends the command with the status of damage.
    package static func report() throws {
        StandardError.current.writeAboutSubject(
            "documents with damaged bodies are treated as empty; list them with kvtool verify",
            status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    /// Reports that a condition encountered unreadable bodies, so that the selected documents are
    /// uncertain, and ends the command with the status of damage before it changes anything.
    package static func refuse() throws {
        StandardError.current.writeAboutSubject(
            "documents with damaged bodies are treated as empty in the condition, so nothing was "
                + "changed; list them with kvtool verify", status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    /// Reports a document that a condition selects and whose body is damaged at any depth, and
    /// ends the command with the status of damage before it changes anything.
    package static func requireReadable(
        _ id: String, _ collection: DocumentCollection, in snapshot: Snapshot
    ) throws {
        guard try collection.isUnreadable(id, in: snapshot) else { return }
        StandardError.current.writeAboutSubject(
            "document \"\(Text.line(id))\" is damaged, so it may not meet the condition, and "
                + "nothing was changed; specify its ID to change it", status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    /// Reports the documents that may be missing or wrong in a new index.
    package static func report(_ documents: UnreadableDocuments, inIndex index: String) {
        let (count, first) = (documents.count, "\"\(documents.key)\"")
        StandardError.current.writeAboutSubject(
            count == 1
                ? "the document \(first) has a damaged body and may be missing or wrong in the "
                    + "index \(index); check it with kvtool verify"
                : "\(count) documents, the first is \(first), have damaged bodies and may be "
                    + "missing or wrong in the index \(index); list them with kvtool verify",
            status: .damaged)
    }
}
