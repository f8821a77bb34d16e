public import DataFileCore
internal import SQLCore
public import StoreFormat

/// A blob to which nothing in its file refers; an element of ``UnusedBlobs``.
///
/// It can still be read through `DataFile.blobs` until it is removed:
///
/// ```swift
/// for unused in try file.unusedBlobs().blobs {
///     let bytes = try file.blobs.bytes(of: Blob(digest: unused.digest))
///     show(unused.digest, bytes.count == unused.byteCount)
/// }
/// ```
public struct UnusedBlob: Hashable, Sendable {
    /// The digest, which is its name: that of the file in `Attachments`, and that in references to
    /// it.
    public let digest: BlobDigest
    /// The size in bytes.
    public let byteCount: Int
}

/// The blobs that `DataFile.compact` would remove.
///
/// ```swift
/// let unused = try file.unusedBlobs()
/// let bytes = unused.blobs.reduce(0) { $0 + $1.byteCount }
/// show("\(unused.blobs.count) blobs with \(bytes) bytes are unused")
/// if let damaged = unused.unreadableDocuments {
///     show("unknown, since \(damaged.count) documents are damaged")
/// }
/// ```
public struct UnusedBlobs: Hashable, Sendable {
    /// The blobs, sorted by name; empty if there are documents that cannot be read.
    public internal(set) var blobs: [UnusedBlob] = []
    /// Damaged documents that may refer to any blob, so that no blob would be removed; nil if there
    /// are none.
    public internal(set) var unreadableDocuments: UnreadableDocuments?
}

extension DataFile {
    /// Finds the blobs that `DataFile.compact` would remove, without removing them.
    ///
    /// ```swift
    /// let names = try file.unusedBlobs().blobs.map(\.digest.fileName)
    /// if !names.isEmpty { try file.removeUnusedBlobs() }
    /// ```
    ///
    /// Blobs that were put within the last `DataFileOptions.blobGraceSeconds` are excluded. This
    /// reads all rows, in one snapshot, and does not block writers. If no blob is old enough, it
    /// reads nothing.
    ///
    /// - Returns: the blobs with their sizes, or the damaged documents that prevent their removal.
    /// - Throws: `StoreError`, for example with the code `corruptData` if rows cannot be read.
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
