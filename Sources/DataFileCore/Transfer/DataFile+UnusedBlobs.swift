internal import SQLCore

/// A blob to which nothing in its file refers.
public struct UnusedBlob: Hashable, Sendable {
    /// Its name.
    public let digest: BlobDigest
    /// How many bytes it has.
    public let byteCount: Int
}

extension DataFile {
    /// The blobs that `compact()` would remove, sorted by name; nothing is removed.
    ///
    /// Those that were put within `DataFileOptions.blobGraceSeconds` are not among them. It reads
    /// all rows, on one snapshot.
    public func unusedBlobs() throws -> [UnusedBlob] {
        let place = try requireOpen().blobs
        return try withReaderContext { context in
            let candidates = try place.candidates().digests
            guard !candidates.isEmpty else { return [] }
            let unused = try context.transaction(.deferred) {
                try BlobCollector(context: context, place: place).unused(of: candidates)
            }
            // One that somebody has removed meanwhile is none any more.
            return try unused.map { ($0.description, $0) }.sorted { $0.0 < $1.0 }
                .compactMap { _, digest in
                    try place.size(digest).map { UnusedBlob(digest: digest, byteCount: $0) }
                }
        }
    }
}
