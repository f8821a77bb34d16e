internal import DataFileCore
public import SQLCore
internal import StoreFormat

/// Saves what can be saved of a damaged database into a new one.
///
/// ```swift
/// let report = try Salvage(from: "people.cblite2", to: "people-saved.cblite2").run()
/// for loss in report.losses { … }
/// ```
/// What SQLite can still reach is read through it; after that every page of the file is looked at
/// by itself, so that rows are found though the pages that lead to them, or the list of tables, are
/// lost. A body is believed only if it is sound. The new file has the schema 503, and the UUIDs,
/// shared keys, sequences and blobs of the old one. Its indexes are made again from what was saved.
public struct Salvage: Sendable {
    private let source: BundlePath
    private let target: BundlePath
    private let key: (any DatabaseKey)?

    /// - Parameters:
    ///   - path: the damaged database's directory, which stays as it is.
    ///   - newPath: the new one, where nothing may be yet.
    ///   - encryption: the key of an encrypted one, which the new one gets, too. Of it only pages
    ///     that nobody has changed without the key can be saved.
    public init(from path: String, to newPath: String, encryption: (any DatabaseKey)? = nil) {
        source = BundlePath(path)
        target = BundlePath(newPath)
        key = encryption
    }

    /// Makes the new database.
    ///
    /// It needs as much space again as the damaged file has, since it works on a copy of it.
    ///
    /// Throws `.busy` while anyone has the damaged file open, `.notFound`, `.notADatabaseFile` for
    /// a directory without `db.sqlite3`, `EEXIST` in the domain `.posix` if there is something at the
    /// new path, `CancellationError`, or what writing the new file meets; then nothing is left
    /// behind.
    public func run() throws -> SalvageReport {
        try source.requireBundle()
        var report = try StoreError.wrapping(path: target.directory) {
            try NewBundle.make(at: target, like: source) { draft in
                let work = BundlePath(draft.directory + "/source")
                try FileSystem.requireNewDirectory(work.directory)
                let walLosses = try copySource(to: work)
                let encrypted = try StoreError.wrapping(path: source.directory) {
                    try key.map { try EncryptedSalvage(work, $0) }
                }
                var report = try save(work, encrypted, to: draft)
                for loss in walLosses { report.lose(loss) }
                if report.savedRecords == 0 { try requireNoKey(work) }
                try FileSystem.removeTree(work.directory)
                try copyAttachments(to: draft, &report)
                return report
            }
        }
        makeIndexes(&report)
        return report
    }

    /// Makes the indexes again; what was saved is there without them.
    private func makeIndexes(_ report: inout SalvageReport) {
        guard !report.indexes.isEmpty else { return }
        var options = DataFileOptions(access: .readWrite)
        options.encryption = key
        guard let file = try? DataFile(path: target.directory, options: options) else { return }
        defer { file.close() }
        for index in report.indexes where !Task.isCancelled {
            let isMade = try? file.write { try $0.createIndex(index) }
            if isMade != nil { report.madeIndexes.append(index.name) }
        }
    }

    /// Checks that a file in which nothing was found is not an encrypted one, of which the key is
    /// needed.
    private func requireNoKey(_ work: BundlePath) throws {
        guard key == nil, let file = RawFile(work.database),
            let start = file.read(at: 0, count: min(file.size / 512 * 512, 4096)),
            BundlePath.looksEncrypted(start)
        else { return }
        throw StoreError(
            .notADatabaseFile,
            "nothing was found in \(source.database), which is encrypted, or no database at all; "
                + "open it with its key", underlying: EncryptionError.keyRequired)
    }

    /// Copies the bytes of the file and its log.
    ///
    /// The file is read through SQLite's descriptor, so that no lock is lost. The other files may
    /// be opened by anyone: locks are not taken on them.
    ///
    /// - Returns: what of the log and the rollback journal was left out, and why.
    private func copySource(to work: BundlePath) throws -> [String] {
        guard FileSystem.size(source.database) > 0 else {
            // SQLite would remove its log.
            try FileSystem.makeFile(work.database) { _ in 0 }
            return try copyWALs(to: work)
        }
        return try ExclusiveAccess.run(source, waitMilliseconds: 0, orUnlocked: true) {
            let context = try source.connect(.readOnly)
            let length = try context.fileLength()
            var offset = 0
            try FileSystem.makeFile(work.database) { buffer in
                try Task.checkCancellation()
                let count = min(buffer.count, length - offset)
                guard count > 0 else { return 0 }
                try context.readFile(
                    at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
                return count
            }
            return try copyWALs(to: work)
        }
    }

    private func copyWALs(to work: BundlePath) throws -> [String] {
        try [copyWAL(to: work), copyJournal(to: work)].compactMap { $0 }
    }

    private func copyWAL(to work: BundlePath) throws -> String? {
        switch FileSystem.entry(source.wal) {
        case .nothing: return nil
        case .file: try FileSystem.copyFile(source.wal, to: work.wal)
        case .directory, .link, .other: return Self.notAFile("write-ahead log", source.wal)
        }
        return nil
    }

    private func copyJournal(to work: BundlePath) throws -> String? {
        switch FileSystem.entry(source.journal) {
        case .nothing: return nil
        case .file: break
        case .directory, .link, .other: return Self.notAFile("rollback journal", source.journal)
        }
        guard let journal = try RollbackJournal(source.journal) else {
            return "the rollback journal \(source.journal) was left out: it cannot be read"
        }
        guard let superJournal = journal.superJournal else {
            try FileSystem.copyFile(source.journal, to: work.journal)
            return nil
        }
        guard journal.hasOwnSuperJournal else {
            return "the rollback journal was left out: it names the super-journal "
                + "\(superJournal), which is not a file of this database"
        }
        // A transaction over several databases counts once its super-journal is gone.
        switch FileSystem.entry(superJournal) {
        case .nothing: return nil
        case .file: break
        case .directory, .link, .other: return Self.notAFile("rollback journal", superJournal)
        }
        try FileSystem.copyFile(source.journal, to: work.journal)
        try FileSystem.cut(work.journal, to: journal.lengthWithoutName)
        return nil
    }

    private static func notAFile(_ what: String, _ path: String) -> String {
        "the \(what) was left out: \(path) is a link, directory, FIFO or device, not a file"
    }

    private func save(
        _ work: BundlePath, _ encrypted: EncryptedSalvage?, to draft: BundlePath
    ) throws -> SalvageReport {
        let target = try SalvageTarget(draft.openDraft(key))
        var (counts, report) = try saveTables(work, target)
        var guessed: Set<KeyStoreName> = []
        var found: [KeyStoreName: Int] = [:]
        // Nobody else knows of the copy, and SQLite has let go of it.
        let pages = try PageSalvage(encrypted?.pages ?? rawPages(work))
        try pages.run(&report) { item in
            let store = item.name.store
            guard try target.put(item.row, in: store, keepsBoth: item.isInUse) else { return }
            found[store, default: 0] += 1
            if item.name.isGuess { guessed.insert(store) }
        }
        counts = Self.merged(counts, pages.names.counts)
        try target.finish(counts, &report)
        report.hasBlobKey = try target.has(InfoKey.blobKey, in: .info)
        try report.removeLosses { key, store in try target.has(key, in: store) }
        report.stores = try target.stores.sorted { $0.rawName < $1.rawName }.map { store in
            SalvageReport.Store(
                name: store, liveRecords: try target.count(store.tableName),
                tombstones: store.isCollection ? try target.count(store.tombstoneTableName) : 0,
                lostRecords: report.lossCount(in: store), foundInPages: found[store] ?? 0,
                isGuessed: guessed.contains(store))
        }
        try target.close()
        return report
    }

    private func rawPages(_ work: BundlePath) throws -> RawPages {
        guard let file = RawFile(work.database) else {
            throw FileSystem.failure("\(work.database) cannot be read")
        }
        return RawPages(file, wal: RawFile(work.database + "-wal"))
    }

    /// What SQLite can reach; its connection is closed then. Of an empty file it would remove the
    /// log.
    private func saveTables(
        _ work: BundlePath, _ target: SalvageTarget
    ) throws -> ([StoreCounts], SalvageReport) {
        guard FileSystem.size(work.database) > 0 else { return ([], SalvageReport()) }
        let tables = try TableSalvage(path: work.database, key, target: target)
        let counts = try tables.run()
        return (counts, tables.report)
    }

    /// The higher numbers of both: a number that was given must not be given again.
    private static func merged(_ some: [StoreCounts], _ others: [StoreCounts]) -> [StoreCounts] {
        var merged = some
        for other in others {
            guard let index = merged.firstIndex(where: { $0.name == other.name }) else {
                merged.append(other)
                continue
            }
            merged[index].lastSequence = max(merged[index].lastSequence, other.lastSequence)
            merged[index].purges = max(merged[index].purges, other.purges)
        }
        return merged
    }

    /// What cannot be copied is lost, and does not keep the records from being saved.
    private func copyAttachments(
        to draft: BundlePath, _ report: inout SalvageReport
    ) throws {
        guard FileSystem.entry(source.attachments) != .nothing else { return }
        if key != nil, !report.hasBlobKey {
            report.lose("the key of the blobs is lost, so that none of them can be read")
        }
        let plain = report.hasBlobKey ? plainLeftovers(draft) : []
        let copy = TreeCopy(
            skips: { plain.contains($0) || key != nil && BlobDirectory.isDraft($0) },
            isFileName: BlobDirectory.isBlobName,
            check: { try Task.checkCancellation() })
        do {
            try copy.run(source.attachments, to: draft.attachments) { error in
                guard !error.isFullDisk else { throw error }
                report.lose("a blob was not copied: \(error)")
            }
        } catch let error as StoreError where !error.isFullDisk {
            report.lose("blobs were not copied: \(error)")
        }
    }

    /// The plain files that a crash has left beside encrypted blobs, whose key the new database
    /// has; none where nothing tells which they are.
    private func plainLeftovers(_ draft: BundlePath) -> Set<String> {
        guard let key, let context = try? draft.openDraft(key) else { return [] }
        defer { try? context.close() }
        guard let stored = try? StoredBlobKey.stored(in: context),
            let cipher = try? BlobCipher(stored: stored, key)
        else { return [] }
        let blobs = BlobDirectory(
            source.attachments, bundle: source.directory, graceSeconds: 0, now: { 0 }, cipher: cipher)
        let strays = try? blobs.strays()
        return Set(strays?.plain ?? [])
    }
}
