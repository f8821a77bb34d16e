package import DocumentStore
internal import StoreTools

/// Tells of documents that a query has met and could not read: their bodies are damaged, so they
/// have no properties in it, and the answer may be wrong without being empty.
package struct UnreadableBodies {
    private let before: Int

    /// Begins before the query does.
    package init(in snapshot: Snapshot) throws { before = try snapshot.unreadableBodies() }

    /// Whether there were some since.
    package func wereMet(in snapshot: Snapshot) throws -> Bool {
        try snapshot.unreadableBodies() > before
    }

    /// Says that there were some, and ends the command with the status of damage.
    package static func report() throws {
        StandardError.current.writeAboutSubject(
            "documents with damaged bodies count as empty in this answer; kvtool verify names them",
            status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    /// Says that a condition has met some, so that nobody knows which documents are meant, and ends
    /// the command with the status of damage before it changes any.
    package static func refuse() throws {
        StandardError.current.writeAboutSubject(
            "documents with damaged bodies count as empty in the condition, so nothing was "
                + "changed; kvtool verify names them", status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    /// Says which documents an index that was made may lack, or have wrong.
    package static func tell(_ documents: UnreadableDocuments, inIndex index: String) {
        let (count, first) = (documents.count, "\"\(documents.key)\"")
        StandardError.current.writeAboutSubject(
            count == 1
                ? "the document \(first) has a damaged body and may be missing or wrong in the "
                    + "index \(index); kvtool verify says what is wrong with it"
                : "\(count) documents, the first is \(first), have damaged bodies and may be "
                    + "missing or wrong in the index \(index); kvtool verify names them",
            status: .damaged)
    }
}
