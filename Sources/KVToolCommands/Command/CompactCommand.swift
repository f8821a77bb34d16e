internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool compact DATABASE`
struct CompactCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Reclaims unused space, and removes unused blobs.",
        discussion: """
            Examples:
              kvtool compact people.cblite2 --dry-run
              kvtool compact people.cblite2
              kvtool compact people.cblite2 --full
              kvtool compact people.cblite2 --prune 20
              kvtool compact people.cblite2 --purge-deleted

            Free pages are removed a few at a time, while other processes continue to work. --full \
            runs VACUUM instead, which rewrites the whole file: it takes longer, needs as much \
            free disk space as the file, and stores the rows of a table next to each other. After \
            Ctrl-C the space reclaimed so far stays reclaimed; an interrupted --full has no \
            effect.

            --purge-deleted first removes the tombstones of deleted documents, in the collection \
            or in all. Replication then no longer sends these deletions to other databases.

            --prune first removes old revisions from the revision trees of Couchbase Lite 2 and 3, \
            in the collection or in all. Conflicts and revisions known to remotes stay. Documents \
            with version vectors have no old revisions.

            A document that cannot be read may refer to any blob: all blobs then stay, everything \
            else is done, and the exit status is 5.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Show what could be reclaimed, without changing anything.")
    var isDry = false
    @Flag(help: "Run VACUUM, which rewrites the whole file.") var full = false
    @Flag(
        name: [.customLong("purge-deleted"), .customLong("purgeDeleted")],
        help: "Remove the tombstones of deleted documents first.")
    var purgeDeleted = false
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Remove old revisions first, keeping this many of each branch.", valueName: "n"))
    var prune: Int?
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        if let prune, prune < 1 { throw ValidationError("--prune takes 1 or more") }
    }

    func run() async throws {
        let file = try location.database.open(
            isDry ? .readOnly : .readWrite, upgrades: upgrade.upgrade)
        let before = try await state(file)
        var report = CompactionReport(path: file.path, before: before)
        if purgeDeleted { report.tombstones = try await tombstones(file) }
        let pruner = try await pruner(file)
        if isDry || !yes { report.revisions = try await file.reading { try pruner?.count($0) } }
        guard !isDry else {
            let unused = try file.unusedBlobs()
            let blobs = unused.blobs
            report.unusedBlobs = (blobs.count, blobs.reduce(0) { $0 + $1.byteCount })
            report.unreadableDocuments = unused.unreadableDocuments
            try report.write(output)
            return try reportRetainedBlobs(report)
        }
        try confirm(tombstones: report.tombstones, revisions: report.revisions)
        if let pruner { report.revisions = try await pruner.run(file) }
        if purgeDeleted { report.tombstones = try await purge(file) }
        let result = try await compact(file, before)
        report.result = result
        report.unreadableDocuments = result.unreadableDocuments
        report.after = try await state(file)
        try report.write(output)
        if let damaged = report.revisions?.damaged, damaged > 0 {
            StandardError.current.writeAboutSubject(
                "note: the revisions of \(Text.count(damaged, "document")) are damaged and stay")
        }
        try reportRetainedBlobs(report)
        guard !result.areUnusedBlobsRemoved else { return }
        StandardError.current.writeAboutSubject(
            "note: blobs were not removed, since another process is copying them or the file "
                + "system does not support locks")
    }

    private func reportRetainedBlobs(_ report: CompactionReport) throws {
        guard let documents = report.unreadableDocuments else { return }
        try RetainedBlobs.report(documents, isDry: isDry)
    }

    private func compact(
        _ file: DataFile, _ before: CompactionReport.State
    ) async throws -> CompactionResult {
        if full {
            let progress = EngineProgress(.rewrite, bytes: Self.rewriting(file, before))
            try await progress.run(
                stopped: "nothing has changed; run the same command to start again"
            ) {
                try await file.vacuum(tick: $0)
            }
        }
        // A file without auto_vacuum needs VACUUM.
        let isCutOff = full || before.canBeCutOff
        let progress = EngineProgress(
            isCutOff ? .compact : .rewrite, bytes: isCutOff ? nil : Self.rewriting(file, before))
        return try await progress.run(
            stopped: "space reclaimed so far stays reclaimed; run the same command to continue"
        ) {
            try await file.compact(tick: $0)
        }
    }

    /// Returns the bytes that VACUUM writes: all content to a temporary file, and from there to
    /// the WAL.
    private static func rewriting(
        _ file: DataFile, _ before: CompactionReport.State
    ) -> EngineProgress.Bytes {
        let held = max(0, before.pages - before.freePages) * before.pageSize
        let (temporary, wal) = (System.bytesOfNamelessFiles(), file.size.wal)
        return EngineProgress.Bytes(total: 2 * held) {
            max(0, System.bytesOfNamelessFiles() - temporary) + max(0, file.size.wal - wal)
        }
    }

    /// Asks for confirmation before tombstones or revisions are removed, which cannot be undone.
    private func confirm(tombstones: Int?, revisions: RevisionPruner.Count?) throws {
        guard tombstones != nil || revisions != nil else { return }
        let words = [
            tombstones.map {
                "\(Text.count($0, "tombstone")), which replication then no longer sends"
            },
            revisions.map(CompactionReport.words),
        ].compactMap(\.self)
        let list = words.joined(separator: ", and ")
        let count = (tombstones ?? 0) + (revisions?.revisions ?? 0)
        guard count > 0 else { return }
        try Confirmation(
            isGiven: yes, reason: "this removes \(list), which cannot be undone",
            refusal: "nothing was changed"
        ) { _ in "Remove \(list)?" }
        .ask(count)
    }

    /// Returns what removes revisions, nil without `--prune`.
    private func pruner(_ file: DataFile) async throws -> RevisionPruner? {
        guard let prune else { return nil }
        return RevisionPruner(
            collections: try await file.reading { try self.collections($0) }, depth: prune)
    }

    private func state(_ file: DataFile) async throws -> CompactionReport.State {
        let usage = try file.blobs.usage()
        let counts = try await file.reading { snapshot in
            try ["page_count", "freelist_count", "page_size", "auto_vacuum"].map { name in
                var number = 0
                try snapshot.sqlRows("PRAGMA \(name)") { row in
                    number = row.value(at: 0).integerValue ?? 0
                    return false
                }
                return number
            }
        }
        return CompactionReport.State(
            size: file.size, pages: counts[0], freePages: counts[1], pageSize: counts[2],
            canBeCutOff: counts[3] != 0, blobs: usage.count, blobBytes: usage.totalBytes)
    }
}

// Tombstones.
extension CompactCommand {
    private func collections(_ snapshot: Snapshot) throws -> [DocumentCollection] {
        if let chosen = try location.collection(in: snapshot) { return [chosen] }
        return try snapshot.collectionNames().map { DocumentCollection($0) }
    }

    private func tombstones(_ file: DataFile) async throws -> Int {
        try await file.reading { snapshot in
            try collections(snapshot).reduce(0) { $0 + (try $1.count(in: snapshot).deleted) }
        }
    }

    /// Removes tombstones, a transaction for each batch; returns how many it removed.
    private func purge(_ file: DataFile) async throws -> Int {
        let collections = try await file.reading { snapshot in try self.collections(snapshot) }
        var count = 0
        try await DocumentBatches(collections: collections).run(file) {
            try Self.purge($0, from: $1, in: $2)
        } add: { _, batch in
            count += batch.count
        } done: {
            "\(Text.count(count, "tombstone")) removed"
        }
        return count
    }

    /// The result of one transaction.
    private struct Purged: DocumentBatch {
        var count = 0
        var lookedAt = 0
        var lastKey: String?
    }

    /// Removes the next batch, starting at a key.
    private static func purge(
        _ collection: DocumentCollection, from key: String?, in transaction: Transaction
    ) throws -> Purged {
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = true
        options.startKey = key
        let limit = DocumentBatches.limit
        var found: [String] = []
        var batch = Purged()
        try collection.records(options, in: transaction).forEachRow { row in
            guard found.count < limit, batch.lookedAt < limit * 100 else {
                batch.lastKey = row.key
                return false
            }
            batch.lookedAt += 1
            if row.flags.contains(.deleted) { found.append(row.key) }
            return true
        }
        for id in found { _ = try collection.purge(id, in: transaction) }
        batch.count = found.count
        return batch
    }
}
