internal import SQLCore
public import StoreFormat

/// The result of compacting a file.
///
/// ```swift
/// let result = try file.compact()
/// show(result.kind, "\(result.removedPages) pages, \(result.removedBlobBytes) bytes of blobs")
/// if !result.isWALReset { show("a reader prevented truncating the WAL") }
/// ```
///
/// `DataFile.compact` returns free pages to the file system and removes the blobs that nothing
/// refers to. Closing the last handle compacts a file by itself if a quarter of its pages or 10 MB
/// are free, unless ``DataFileOptions/maintenance`` is off; blobs are removed on request only.
public struct CompactionResult: Hashable, Sendable {
    /// The method that was used.
    public enum Kind: Sendable {
        /// Not compacted: there were too few free pages. An explicit call never skips.
        case skipped
        /// `PRAGMA incremental_vacuum`: free pages were removed from the end of the file, in steps,
        /// so that other writers wait for one step only.
        case incremental
        /// `VACUUM`: the file was rewritten, since it was not created with incremental vacuum. From
        /// then on it can be compacted incrementally.
        case full
    }

    /// The method that was used.
    public let kind: Kind
    /// The number of pages by which the file shrank; 0 if it did not. For their size see
    /// ``FileStatistics/pageSize``.
    public let removedPages: Int
    /// Whether the WAL was checkpointed and truncated; false if other readers still use it. Nothing
    /// is lost then: a later checkpoint does it.
    public let isWALReset: Bool
    /// The number of blobs that were removed because nothing in the file refers to them. Blobs that
    /// were put within the last ``DataFileOptions/blobGraceSeconds`` are retained.
    public let removedBlobs: Int
    /// The size of the removed blobs in bytes.
    public let removedBlobBytes: Int
    /// Whether unused blobs were removed. False if it was not requested, if other processes were
    /// copying blobs, if the file system has no locks, or if documents cannot be read.
    public let areUnusedBlobsRemoved: Bool
    /// Damaged documents that may refer to any blob, so that no blob was removed; nil if there are
    /// none.
    ///
    /// ```swift
    /// if let damaged = try file.compact().unreadableDocuments {
    ///     show("\(damaged.count) damaged documents; the first is \(damaged.key)")
    /// }
    /// ```
    public let unreadableDocuments: UnreadableDocuments?
}

/// Reclaims free pages and returns them to the file system.
struct Compaction {
    /// A connection for writing, without an open transaction.
    let context: SQLContext
    /// The bundle's path, for error messages.
    let path: String
    /// Whether the caller requested it; otherwise it runs only if it is worthwhile.
    let isExplicit: Bool
    /// The blobs to collect; nil to leave all blobs in place.
    var blobs: (any BlobStorage)?

    /// Compacting is worthwhile if this many bytes can be reclaimed,
    static let worthwhileBytes = 10 << 20
    /// or if one in this many pages is free.
    static let worthwhileShare = 4
    /// Larger files are rewritten only if the caller requests it.
    static let smallFileBytes = 10 << 20
    /// The number of pages removed in one transaction, which bounds how long other writers wait.
    static let pagesPerStep = 512

    /// Throws `.unsupported` if the file has to be rewritten and its indexes need functions that
    /// are missing, `CancellationError`, or `SQLError`.
    func run() throws -> CompactionResult {
        // First, since it can free the disk space that rewriting the file needs.
        let collected = try blobs.map { try BlobCollector(context: context, storage: $0).run() }
        let before = try PageCounts(context)
        let kind = try kind(before)
        switch kind {
        case .skipped: break
        case .incremental: try removeFreePages()
        case .full: try vacuum()
        }
        let isWALReset = isExplicit ? try resetWAL() : false
        let after = try PageCounts(context)
        return CompactionResult(
            kind: kind, removedPages: max(before.pages - after.pages, 0),
            isWALReset: isWALReset, removedBlobs: collected?.blobs ?? 0,
            removedBlobBytes: collected?.bytes ?? 0,
            areUnusedBlobsRemoved: collected?.isComplete ?? false,
            unreadableDocuments: collected?.unreadable)
    }

    private func kind(_ counts: PageCounts) throws -> CompactionResult.Kind {
        let isWorthwhile =
            counts.free > 0
            && (counts.free >= counts.pages / Self.worthwhileShare
                || counts.freeBytes >= Self.worthwhileBytes)
        guard isExplicit || isWorthwhile else { return .skipped }
        guard try context.number("auto_vacuum") == 0 else { return .incremental }
        return isExplicit || counts.bytes < Self.smallFileBytes ? .full : .skipped
    }

    private func removeFreePages() throws {
        var free = try context.number("freelist_count")
        while free > 0 {
            try context.checkCancellation()
            try context.exec(sql: "PRAGMA incremental_vacuum(\(Self.pagesPerStep))")
            let rest = try context.number("freelist_count")
            // The file shrinks unless it is damaged.
            guard rest < free else { return }
            free = rest
        }
    }

    /// Rewrites the file. From then on it can be compacted incrementally.
    private func vacuum() throws {
        try context.checkCancellation()
        try MissingFunction.explaining("compacted", context, path: path) {
            try context.exec(sql: "PRAGMA auto_vacuum=incremental; VACUUM")
        }
    }

    private func resetWAL() throws -> Bool {
        try context.selectValue(sql: "PRAGMA wal_checkpoint(TRUNCATE)")?.longValue == 0
    }
}

/// The number of pages of a file, and how many of them are free.
struct PageCounts {
    let pages: Int
    let free: Int
    let pageSize: Int

    init(_ context: SQLContext) throws {
        pages = try context.number("page_count")
        free = try context.number("freelist_count")
        pageSize = try context.number("page_size")
    }

    var bytes: Int { pages.multipliedReportingOverflow(by: pageSize).partialValue }
    var freeBytes: Int { free.multipliedReportingOverflow(by: pageSize).partialValue }
}

extension SQLContext {
    /// The value of a numeric pragma, 0 if it has none.
    func number(_ pragma: String) throws -> Int {
        Int(clamping: try self.pragma(pragma)?.longValue ?? 0)
    }
}
