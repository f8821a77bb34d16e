internal import SQLCore
public import StoreFormat

/// What compacting did.
public struct CompactionResult: Hashable, Sendable {
    /// How it was done.
    public enum Kind: Sendable {
        /// There was too little to win.
        case skipped
        /// Free pages were cut off, a few at a time.
        case incremental
        /// The file was rewritten, since it was not made for the other way.
        case full
    }

    /// How it was done.
    public let kind: Kind
    /// How many pages the file has less.
    public let removedPages: Int
    /// Whether the log was emptied into the file; false where others are still reading from it.
    public let isWALReset: Bool
    /// How many blobs were removed to which nothing in the file refers.
    public let removedBlobs: Int
    /// How many bytes they had.
    public let removedBlobBytes: Int
    /// Whether unused blobs were removed; false where others were copying them, where the file
    /// system has no locks, where documents cannot be read, and if nobody asked for it.
    public let areBlobsCollected: Bool
    /// Documents that are damaged and may refer to any blob, so that none was removed; nil if
    /// there are none.
    public let unreadableDocuments: UnreadableDocuments?
}

/// Gives room that nothing stands in back to the file system.
struct Compaction {
    /// A connection for writing, with no transaction open.
    let context: SQLContext
    /// The bundle's path, for messages.
    let path: String
    /// Whether somebody asked for it: otherwise it is done only if it is worth it.
    let isExplicit: Bool
    /// The blobs to be collected; nil if they are to be left alone.
    var blobs: (any BlobStorage)?

    /// Where there is as much to win, it is always worth it.
    static let worthwhileBytes = 10 << 20
    /// And so it is if one page of so many is free.
    static let worthwhileShare = 4
    /// Larger files are rewritten only if somebody asked for it.
    static let smallFileBytes = 10 << 20
    /// Pages that are cut off in one transaction: others wait no longer than that takes.
    static let pagesPerStep = 512

    /// Throws `.unsupported` for a file that has to be rewritten and whose indexes need
    /// functions that are missing, `CancellationError`, or `SQLError`.
    func run() throws -> CompactionResult {
        // First, since it can make the room that writing the file again needs.
        let collected = try blobs.map { try BlobCollector(context: context, place: $0).run() }
        let before = try PageCounts(context)
        let kind = try kind(before)
        switch kind {
        case .skipped: break
        case .incremental: try cutOff()
        case .full: try vacuum()
        }
        let isWALReset = isExplicit ? try resetWAL() : false
        let after = try PageCounts(context)
        return CompactionResult(
            kind: kind, removedPages: max(before.pages - after.pages, 0),
            isWALReset: isWALReset, removedBlobs: collected?.blobs ?? 0,
            removedBlobBytes: collected?.bytes ?? 0,
            areBlobsCollected: collected?.isComplete ?? false,
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

    private func cutOff() throws {
        var free = try context.number("freelist_count")
        while free > 0 {
            try context.checkCancellation()
            try context.exec(sql: "PRAGMA incremental_vacuum(\(Self.pagesPerStep))")
            let rest = try context.number("freelist_count")
            // Each file that is not damaged gets shorter.
            guard rest < free else { return }
            free = rest
        }
    }

    /// From then on it can be cut off.
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

/// How many pages a file has, and how many of them nothing stands in.
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
    /// A pragma that is a number, 0 if it has no value.
    func number(_ pragma: String) throws -> Int {
        Int(clamping: try self.pragma(pragma)?.longValue ?? 0)
    }
}
