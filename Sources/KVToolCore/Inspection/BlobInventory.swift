package import DocumentStore
internal import StoreTools

/// The blobs of a database, and who refers to them.
package struct BlobInventory {
    /// A blob that is there, or that a document refers to.
    package struct Entry: Sendable {
        package let digest: BlobDigest
        /// Nil if it is missing.
        package var bytes: Int?
        /// What the first reference says.
        package var contentType: String?
        /// `COLLECTION/ID` of each document.
        package var references: [String] = []

        package init(
            digest: BlobDigest, bytes: Int? = nil, contentType: String? = nil,
            references: [String] = []
        ) {
            self.digest = digest
            self.bytes = bytes
            self.contentType = contentType
            self.references = references
        }
    }

    private var entries: [BlobDigest: Entry] = [:]

    /// - Parameter snapshot: whose documents are asked which blobs they refer to; nil for none.
    package init(_ file: DataFile, references snapshot: Snapshot?) throws {
        for digest in try file.blobs.digests() {
            guard let bytes = try file.blobs.size(of: Blob(digest: digest)) else { continue }
            entries[digest] = Entry(digest: digest, bytes: bytes)
        }
        try snapshot?.blobReferences { store, key, blob in
            var entry = entries[blob.digest] ?? Entry(digest: blob.digest)
            entry.contentType = entry.contentType ?? blob.contentType
            let reference = "\(IndexText.collection(store))/\(key)"
            // Several references of a document can differ in what they say.
            if entry.references.last != reference { entry.references.append(reference) }
            entries[blob.digest] = entry
        }
    }

    /// The blobs by their names, and how many of them are missing.
    package func sorted() -> (blobs: [Entry], missing: Int) {
        let blobs = entries.values.map { ($0.digest.description, $0) }
            .sorted { $0.0 < $1.0 }.map(\.1)
        return (blobs, blobs.count { $0.bytes == nil })
    }
}

/// Tells of blobs that stay since documents that cannot be read may refer to them.
package enum KeptBlobs {
    /// Says which documents they are, and ends the command with the status of damage.
    package static func report(_ documents: UnreadableDocuments, isDry: Bool) throws {
        StandardError.current.writeAboutSubject(message(documents, isDry: isDry), status: .damaged)
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
