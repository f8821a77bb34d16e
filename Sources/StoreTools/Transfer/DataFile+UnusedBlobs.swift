public import DataFileCore
internal import SQLCore
public import StoreFormat

/// A blob to which nothing in its file refers.
public struct UnusedBlob: Hashable, Sendable {
    /// Its name.
    public let digest: BlobDigest
    /// How many bytes it has.
    public let byteCount: Int
}

/// What `compact()` would remove.
public struct UnusedBlobs: Hashable, Sendable {
    /// The blobs, sorted by name; none if there are documents that cannot be read.
    public internal(set) var blobs: [UnusedBlob] = []
    /// Documents that are damaged and may refer to any blob, so that none would be removed; nil if
    /// there are none.
    public internal(set) var unreadableDocuments: UnreadableDocuments?
}

extension DataFile {
    /// The blobs that `compact()` would remove; nothing is removed.
    ///
    /// Those that were put within `DataFileOptions.blobGraceSeconds` are not among them. It reads
    /// all rows, on one snapshot.
    public func unusedBlobs() throws -> UnusedBlobs {
        let place = try requireOpen().blobs
        return try withReaderContext { context in
            let candidates = try place.candidates().digests
            guard !candidates.isEmpty else { return UnusedBlobs() }
            let search = try context.transaction(.deferred) {
                try BlobCollector(context: context, place: place).search(for: candidates)
            }
            // One that somebody has removed meanwhile is none any more.
            let blobs = try search.removable.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }
                .compactMap { _, digest in
                    try place.size(digest).map { UnusedBlob(digest: digest, byteCount: $0) }
                }
            return UnusedBlobs(blobs: blobs, unreadableDocuments: search.unreadable)
        }
    }
}
