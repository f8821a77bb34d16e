package import DocumentStore
internal import StoreTools

/// The space that compaction has reclaimed, or would reclaim.
package struct CompactionReport: OneReport {
    /// The size of a database.
    package struct State: Sendable {
        package let size: FileSize
        package let pages: Int
        package let freePages: Int
        package let pageSize: Int
        /// Whether free pages can be removed incrementally; otherwise the file is rewritten as a
        /// whole.
        package let canBeCutOff: Bool
        package let blobs: Int
        package let blobBytes: Int

        package init(
            size: FileSize, pages: Int, freePages: Int, pageSize: Int, canBeCutOff: Bool,
            blobs: Int, blobBytes: Int
        ) {
            self.size = size
            self.pages = pages
            self.freePages = freePages
            self.pageSize = pageSize
            self.canBeCutOff = canBeCutOff
            self.blobs = blobs
            self.blobBytes = blobBytes
        }
    }

    let path: String
    let before: State
    /// Nil for a dry run.
    package var after: State?
    package var result: CompactionResult?
    /// The blobs that would be removed; nil after compaction.
    package var unusedBlobs: (count: Int, totalBytes: Int)?
    /// The documents that prevent the removal of blobs; nil if there are none.
    package var unreadableDocuments: UnreadableDocuments?
    /// The number of tombstones that were removed, or would be; nil if not requested.
    package var tombstones: Int?
    /// The number of revisions that were removed, or would be; nil if not requested.
    package var revisions: RevisionPruner.Count?

    package init(path: String, before: State) {
        self.path = path
        self.before = before
    }

    package var schema: String { "compact" }
    package let columns = [
        Column("state", ""), Column("bytes", "Database", isNumber: true),
        Column("walBytes", "WAL", isNumber: true), Column("pages", "Pages", isNumber: true),
        Column("freePages", "Free pages", isNumber: true),
        Column("blobs", "Blobs", isNumber: true),
        Column("blobBytes", "Blob size", isNumber: true),
    ]

    package var rows: [[Cell]] {
        [row("before", "Before", before)] + (after.map { [row("after", "After", $0)] } ?? [])
    }

    private func row(_ name: String, _ heading: String, _ state: State) -> [Cell] {
        [
            .both(heading, program: .text(name)), .bytes(state.size.database),
            .bytes(state.size.wal), .number(state.pages), .number(state.freePages),
            .number(state.blobs), .bytes(state.blobBytes),
        ]
    }

    package func writeText() throws {
        try Self.writeTable(columns, rows)
        for line in lines { try StandardOutput.current.write("\n" + line + "\n") }
    }

    private var lines: [String] {
        guard let result else { return [estimate] }
        let blobs = Text.count(result.removedBlobs, "blob")
        var parts = [
            "\(Text.size(max(0, reclaimed))) reclaimed",
            "\(blobs) removed (\(Text.size(result.removedBlobBytes)))",
        ]
        if let tombstones { parts.append("\(Text.count(tombstones, "tombstone")) removed") }
        if let revisions { parts.append("\(Self.words(revisions)) removed") }
        return [parts.joined(separator: ", ")]
    }

    /// The reduction in size of the file and its WAL.
    private var reclaimed: Int {
        guard let after else { return 0 }
        return before.size.database + before.size.wal - after.size.database - after.size.wal
    }

    private var estimate: String {
        let free = Text.size(freeBytes)
        let unused = unusedBlobs ?? (0, 0)
        let tombstones = tombstones.map { ", \(Text.count($0, "tombstone"))" } ?? ""
        let revisions = revisions.map { ", \(Self.words($0))" } ?? ""
        return "Reclaimable: \(free) in \(Text.count(before.freePages, "free page")), "
            + "\(Text.size(unused.totalBytes)) in \(Text.count(unused.count, "unused blob"))"
            + tombstones + revisions
    }

    package static func words(_ count: RevisionPruner.Count) -> String {
        "\(Text.count(count.revisions, "revision")) of \(Text.count(count.documents, "document"))"
    }

    private var freeBytes: Int {
        before.freePages.multipliedReportingOverflow(by: before.pageSize).partialValue
    }

    package var properties: JSONObject {
        var object = JSONObject()
        object.add("database", path)
        object.add("dryRun", result == nil)
        object.add("before", list.first)
        object.add("after", after == nil ? nil : list.last)
        object.add("freeBytes", freeBytes)
        object.add("unusedBlobs", unusedBlobs?.count)
        object.add("unusedBlobBytes", unusedBlobs?.totalBytes)
        object.add("unreadableDocuments", unreadableDocuments?.count)
        object.add("tombstones", tombstones)
        object.add("prunedRevisions", revisions?.revisions)
        object.add("prunedDocuments", revisions?.documents)
        object.add("removedPages", result?.removedPages)
        object.add("removedBlobs", result?.removedBlobs)
        object.add("removedBlobBytes", result?.removedBlobBytes)
        object.add("blobsCollected", result?.areUnusedBlobsRemoved)
        object.add("logEmptied", result?.isWALReset)
        return object
    }
}

/// Prunes the revision trees of documents, or counts what pruning would remove.
package struct RevisionPruner: Sendable {
    /// The result of pruning.
    package struct Count: Sendable {
        var documents = 0
        package var revisions = 0
        /// Damaged documents, which are left unchanged.
        package var damaged = 0
    }

    package let collections: [DocumentCollection]
    /// The number of revisions to keep per branch.
    package let depth: Int

    package init(collections: [DocumentCollection], depth: Int) {
        self.collections = collections
        self.depth = depth
    }

    /// Counts the revisions that would be removed.
    package func count(_ snapshot: Snapshot) throws -> Count {
        var count = Count()
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = true
        for collection in collections {
            let records = try collection.records(options, in: snapshot)
            while let record = try records.next() {
                let removed: Int
                do {
                    var tree = try collection.history(of: record.key, in: snapshot)?.tree
                    removed = tree?.prune(toDepth: depth) ?? 0
                } catch let error as StoreError where error.isOfOneDocument {
                    count.damaged += 1
                    continue
                }
                count.documents += removed > 0 ? 1 : 0
                count.revisions += removed
            }
        }
        return count
    }

    /// Removes the revisions, a transaction for each batch; committed batches are retained if it is
    /// interrupted.
    package func run(_ file: DataFile) async throws -> Count {
        let depth = depth
        var count = Count()
        try await DocumentBatches(collections: collections).run(file) {
            collection, key, transaction in
            try collection.pruneRevisions(
                in: transaction, depth: depth, after: key, limit: DocumentBatches.limit)
        } add: { _, batch in
            count.documents += batch.pruned
            count.revisions += batch.removed
            count.damaged += batch.damaged
        } done: {
            "\(Text.count(count.revisions, "revision")) removed"
        }
        return count
    }
}

extension StoreError {
    /// Whether the error concerns one document, so that others may still be readable.
    package var isOfOneDocument: Bool {
        has(.notFound) || has(.corruptData) || has(.corruptRevisionData)
    }
}
