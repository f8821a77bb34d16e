package import DocumentStore
internal import StoreTools

/// The blobs of a database, and the documents that refer to them.
package struct BlobInventory {
    /// A blob that exists, or that a document refers to.
    package struct Entry: Sendable {
        package let digest: BlobDigest
        /// The size; nil if the blob is missing.
        package var bytes: Int?
        /// The content type of the first reference.
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

    /// - Parameter snapshot: the snapshot whose documents are searched for references; nil for
    ///   none.
    package init(_ file: DataFile, references snapshot: Snapshot?) throws {
        for digest in try file.blobs.digests() {
            guard let bytes = try file.blobs.size(of: Blob(digest: digest)) else { continue }
            entries[digest] = Entry(digest: digest, bytes: bytes)
        }
        try snapshot?.blobReferences { store, key, blob in
            var entry = entries[blob.digest] ?? Entry(digest: blob.digest)
            entry.contentType = entry.contentType ?? blob.contentType
            let reference = "\(IndexText.collection(store))/\(key)"
            // References of one document to the same blob can differ in their metadata.
            if entry.references.last != reference { entry.references.append(reference) }
            entries[blob.digest] = entry
        }
    }

    /// The blobs sorted by digest, and the number of missing ones.
    package func sorted() -> (blobs: [Entry], missing: Int) {
        let blobs = entries.values.map { ($0.digest.description, $0) }
            .sorted { $0.0 < $1.0 }.map(\.1)
        return (blobs, blobs.count { $0.bytes == nil })
    }
}

/// Reports blobs that are not removed because unreadable documents may refer to them.
package enum RetainedBlobs {
    /// Names the documents, and ends the command with the status of damage.
    package static func report(_ documents: UnreadableDocuments, isDry: Bool) throws {
        StandardError.current.writeAboutSubject(message(documents, isDry: isDry), status: .damaged)
        throw ReportedFailure(status: .damaged)
    }

    private static func message(_ documents: UnreadableDocuments, isDry: Bool) -> String {
        let removal = isDry ? "no blobs would be removed" : "no blobs were removed"
        let first = "\"\(documents.key)\" of \(IndexText.collection(documents.store))"
        guard documents.count > 1 else {
            return "\(removal), because an unreadable document may refer to any: \(first); "
                + "check it with kvtool verify, or use kvtool recover to create a database "
                + "without it"
        }
        return "\(removal), because \(documents.count) unreadable documents may refer to any, "
            + "the first is \(first); check them with kvtool verify, or use kvtool recover "
            + "to create a database without them"
    }
}
