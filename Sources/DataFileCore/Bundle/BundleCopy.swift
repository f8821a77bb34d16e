internal import SQLCore
internal import StoreFormat

/// How far a copy has come.
public struct CopyProgress: Hashable, Sendable {
    /// Pages that have been copied.
    public let copiedPages: Int
    /// Pages that the database has.
    public let totalPages: Int
}

/// Copies a database that others go on using.
struct BundleCopy {
    /// A connection to it; only read.
    let source: SQLContext
    /// Its directory, nil for a database in memory.
    let bundle: BundlePath?
    let newUUIDs: Bool
    /// How many pages are copied between two calls of `progress`.
    var pagesPerStep = 256
    /// Called after each step; false cancels.
    let progress: (CopyProgress) throws -> Bool
    /// That of the copy; the source's, as the blobs are copied as they are.
    var key: (any DatabaseKey)?
    /// Its blobs.
    var blobs: (any BlobStorage)?

    /// Makes the copy.
    ///
    /// The source's transaction stays open all the time: its snapshot does not move, so that what
    /// others write is neither seen nor a reason to restart.
    func run(to target: BundlePath) throws {
        try NewBundle.make(at: target, like: bundle) { draft in
            // Before the snapshot: blobs that only this one refers to would be removed otherwise.
            var lock = try blobs?.keep()
            try source.transaction(.deferred) {
                // The first read is what takes the snapshot.
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
        // What a crash has left plain beside encrypted blobs must not get into backups.
        let plain = Set(try blobs?.strays().plain ?? [])
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

    /// Makes a database another one than the one it was copied from, whose private UUID it keeps
    /// as the previous one.
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
