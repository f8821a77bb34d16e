package import DocumentStore

/// Tells of blobs that stay since documents that cannot be read may refer to them.
package enum KeptBlobs {
    /// Says which documents they are, and ends the command with the status of damage.
    package static func report(_ documents: UnreadableDocuments, isDry: Bool) throws {
        StandardError.writeAboutSubject(message(documents, isDry: isDry), status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    private static func message(_ documents: UnreadableDocuments, isDry: Bool) -> String {
        let removal = isDry ? "no blobs would be removed" : "no blobs were removed"
        let first = "\"\(documents.key)\" of \(IndexText.collection(documents.store))"
        guard documents.count > 1 else {
            return "\(removal), as a document that cannot be read may refer to any: \(first); "
                + "kvtool verify says what is wrong with it, kvtool repair makes a database "
                + "without it"
        }
        return "\(removal), as \(documents.count) documents that cannot be read may refer to any, "
            + "the first is \(first); kvtool verify names them, kvtool repair makes a database "
            + "without them"
    }
}
