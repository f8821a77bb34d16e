internal import SQLCore
internal import StoreFormat

/// The progress of a copy, which `DataFile.copy` passes to its closure.
///
/// ```swift
/// try file.copy(to: path) { progress in
///     show(Double(progress.copiedPages) / Double(max(progress.totalPages, 1)))
///     return !Task.isCancelled
/// }
/// ```
///
/// Blobs are copied before the pages, and are not included.
public struct CopyProgress: Hashable, Sendable {
    /// The number of pages copied so far, from 0 to ``totalPages``.
    public let copiedPages: Int
    /// The number of pages in the database. It does not change during a copy.
    public let totalPages: Int
}

/// Copies a database while it is in use.
struct BundleCopy {
    /// A connection to it, which is only read from.
    let source: SQLContext
    /// Its directory; nil for an in-memory database.
    let bundle: BundlePath?
    let newUUIDs: Bool
    /// The number of pages copied between two calls of `progress`.
    var pagesPerStep = 256
    /// Called after each step; returns false to cancel.
    let progress: (CopyProgress) throws -> Bool
    /// The key of the copy: the source's, because encrypted blobs are copied unchanged.
    var key: (any DatabaseKey)?
    /// The source's blobs.
    var blobs: (any BlobStorage)?

    /// Creates the copy.
    ///
    /// The source's transaction stays open during the copy: its snapshot does not change, so
    /// concurrent writes are not included and do not restart the copy.
    func run(to target: BundlePath) throws {
        try NewBundle.make(at: target, like: bundle) { draft in
            // Before the snapshot: blobs that only this snapshot refers to could be removed.
            var lock = try blobs?.preventRemoval()
            try source.transaction(.deferred) {
                // The first read takes the snapshot.
                _ = try source.selectValue(sql: "SELECT count(*) FROM sqlite_master")
                try withExtendedLifetime(lock) { try copyAttachments(to: draft) }
                lock = nil
                let copy = try draft.openDraft(key)
                try copyPages(to: copy)
                if newUUIDs { try Self.renewUUIDs(in: copy) }
                try copy.close()
            }
        }
    }

    private func copyPages(to copy: SQLContext) throws {
        let isComplete = try source.backup(to: copy, pages: pagesPerStep) { state in
            try source.checkCancellation()
            return try progress(
                CopyProgress(
                    copiedPages: state.total - state.remaining, totalPages: state.total))
        }
        guard isComplete else { throw CancellationError() }
    }

    private func copyAttachments(to draft: BundlePath) throws {
        guard let bundle else { return try copyMemory(to: draft) }
        guard FileSystem.entry(bundle.attachments) != .nothing else { return }
        // Plaintext files that a crash left next to encrypted blobs must not get into backups.
        let plain = Set(try blobs?.misnamedFiles().plain ?? [])
        let copy = TreeCopy(
            skips: { plain.contains($0) || key != nil && BlobDirectory.isDraft($0) },
            isFileName: BlobDirectory.isBlobName,
            check: { try source.checkCancellation() })
        try copy.run(bundle.attachments, to: draft.attachments, failed: { throw $0 })
    }

    private func copyMemory(to draft: BundlePath) throws {
        guard let blobs else { return }
        let target = BlobDirectory(
            draft.attachments, bundle: draft.directory, graceSeconds: 0, now: { 0 })
        for digest in try blobs.digests() {
            try source.checkCancellation()
            guard let bytes = try blobs.source(digest) else { continue }
            let copy = try target.draft()
            try bytes.forEachPart { try copy.write($0) }
            try copy.install(digest, length: bytes.length)
        }
    }

    /// Gives the copy new UUIDs, and stores the source's private UUID as the previous one.
    static func renewUUIDs(in copy: SQLContext) throws {
        try copy.transaction(.immediate) {
            try ForeignSchema.requireNoTriggersOfInfo(in: copy)
            if let old = try StoreTable.info(InfoKey.privateUUID, in: copy) {
                try InfoRow.set(InfoKey.previousPrivateUUID, to: old, in: copy)
            }
            try InfoRow.set(InfoKey.privateUUID, to: UUIDBytes.random(), in: copy)
            try InfoRow.set(InfoKey.publicUUID, to: UUIDBytes.random(), in: copy)
        }
    }
}
