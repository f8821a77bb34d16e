public import DataFileCore
internal import SQLCore
public import StoreFormat

/// A blob to which nothing in its file refers.
public struct UnusedBlob: Hashable, Sendable {
    /// The digest, which is its name.
    public let digest: BlobDigest
    /// The size in bytes.
    public let byteCount: Int
}

/// The blobs that `compact()` would remove.
public struct UnusedBlobs: Hashable, Sendable {
    /// The blobs, sorted by name; empty if there are documents that cannot be read.
    public internal(set) var blobs: [UnusedBlob] = []
    /// Damaged documents that may refer to any blob, so that no blob would be removed; nil if there
    /// are none.
    public internal(set) var unreadableDocuments: UnreadableDocuments?
}

extension DataFile {
    /// Finds the blobs that `compact()` would remove, without removing them.
    ///
    /// Blobs that were put within the last `DataFileOptions.blobGraceSeconds` are excluded. This
    /// reads all rows, in one snapshot.
    public func unusedBlobs() throws -> UnusedBlobs {
        let storage = try requireOpen().blobs
        return try withReaderContext { context in
            let candidates = try storage.candidates().digests
            guard !candidates.isEmpty else { return UnusedBlobs() }
            let search = try context.transaction(.deferred) {
                try BlobCollector(context: context, storage: storage).search(for: candidates)
            }
            // A blob that was removed meanwhile is skipped.
            let blobs = try search.removable.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }
                .compactMap { _, digest in
                    try storage.size(digest).map { UnusedBlob(digest: digest, byteCount: $0) }
                }
            return UnusedBlobs(blobs: blobs, unreadableDocuments: search.unreadable)
        }
    }
}
