internal import DataFileCore
public import SQLCore
internal import StoreFormat

/// Recovers documents from a damaged database into a new one.
///
/// ```swift
/// let report = try Salvage(from: "people.cblite2", to: "people-saved.cblite2").run()
/// show("\(report.savedRecords) records recovered, \(report.lossCount) lost")
/// for loss in report.losses { show(loss.key ?? "unknown", loss.reason) }
/// ```
///
/// First, SQLite reads the rows that it can reach. Then each page of the file is examined
/// separately, which finds rows even if the pages that lead to them, or the schema table, are lost.
/// A body is recovered only if it is valid. The new file has schema version 503, and the UUIDs,
/// shared keys, sequences and blobs of the old file. Its indexes are rebuilt from the recovered
/// documents.
///
/// Use it if opening a file throws `StoreError` with the code `corruptData`, or if
/// `DataFile.verify` finds errors that `DataFile.fix` cannot fix. The damaged file is not changed,
/// so that another attempt is possible. A model of a predictive index must be registered before, or
/// the index is missing in the new file.
///
/// An application that replaces a damaged file by what can be recovered:
///
/// ```swift
/// let report = try Salvage(from: path, to: path + ".recovered").run()
/// if report.savedRecords > 0 {
///     try FileManager.default.moveItem(atPath: path, toPath: path + ".damaged")
///     try FileManager.default.moveItem(atPath: path + ".recovered", toPath: path)
/// }
/// ```
///
/// If several rows with the same key are found, the later one gets the key. An earlier one is
/// stored in the collection `recovered.duplicates` if damage can have changed its key. A row that
/// is found in a page can be an older version of a document whose latest version is lost, so check
/// the report before replacing a file.
///
/// The cost is proportional to the size of the file, and includes a copy of its blobs.
public struct Salvage: Sendable {
    private let source: BundlePath
    private let target: BundlePath
    private let key: (any DatabaseKey)?

    /// Specifies the damaged database and the new one. Nothing is read before ``run()``.
    ///
    /// ```swift
    /// let key = file.options.encryption
    /// let salvage = Salvage(from: path, to: path + ".recovered", encryption: key)
    /// ```
    ///
    /// - Parameters:
    ///   - path: the directory of the damaged database, which is not changed.
    ///   - newPath: the directory of the new database, which must not exist.
    ///   - encryption: the key of an encrypted database, with which the new one is encrypted, too.
    ///     Pages that were changed without the key cannot be recovered.
    public init(from path: String, to newPath: String, encryption: (any DatabaseKey)? = nil) {
        source = BundlePath(path)
        target = BundlePath(newPath)
        key = encryption
    }

    /// Creates the new database.
    ///
    /// This works on a copy of the damaged file, so it needs that much additional disk space. If it
    /// fails, nothing is left on the disk. It blocks the calling thread; in a task, it ends soon
    /// after the task is cancelled.
    ///
    /// ```swift
    /// let salvage = Salvage(from: path, to: path + ".recovered")
    /// let recovery = Task.detached { try salvage.run() }
    /// let report = try await recovery.value
    /// ```
    ///
    /// - Returns: what was recovered, and what was lost. A report with losses is not an error.
    /// - Throws: `StoreError` with the code `busy` while any process has the damaged file open;
    ///   `notFound`; `notADatabaseFile` for a directory without `db.sqlite3`, or if the file is
    ///   encrypted and no key was given; `EEXIST` in the domain `.posix` if the new path exists;
    ///   errors of writing the new file. `CancellationError` if the task is cancelled.
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
        createIndexes(&report)
        return report
    }

    /// Creates the indexes. If that fails, the recovered documents remain without them.
    private func createIndexes(_ report: inout SalvageReport) {
        guard !report.indexes.isEmpty else { return }
        var options = DataFileOptions(access: .readWrite)
        options.encryption = key
        guard let file = try? DataFile(path: target.directory, options: options) else { return }
        defer { file.close() }
        for index in report.indexes where !Task.isCancelled {
            let isCreated = try? file.write { try $0.createIndex(index) }
            if isCreated != nil { report.createdIndexes.append(index.name) }
        }
    }

    /// If nothing was found, throws unless the file is not encrypted: an encrypted one needs its
    /// key.
    private func requireNoKey(_ work: BundlePath) throws {
        guard key == nil, let file = RawFile(work.database),
            let start = file.read(at: 0, count: min(file.size / 512 * 512, 4096)),
            BundlePath.looksEncrypted(start)
        else { return }
        throw StoreError(
            .notADatabaseFile,
            "nothing was found in \(source.database), which is encrypted or not a database; "
                + "open it with its key", underlying: EncryptionError.keyRequired)
    }

    /// Copies the file and its WAL.
    ///
    /// The file is read through SQLite's descriptor, since closing another descriptor would drop
    /// SQLite's locks. The other files have no locks and can be opened.
    ///
    /// - Returns: which parts of the WAL and of the rollback journal were left out, and why.
    private func copySource(to work: BundlePath) throws -> [String] {
        guard FileSystem.size(source.database) > 0 else {
            // SQLite would remove its WAL.
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
        // A transaction on several databases is committed once its super-journal is removed.
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
        // No other process uses the copy, and SQLite has closed it.
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

    /// Recovers the rows that SQLite can reach, and closes its connection. For an empty file,
    /// SQLite would remove the WAL.
    private func saveTables(
        _ work: BundlePath, _ target: SalvageTarget
    ) throws -> ([StoreCounts], SalvageReport) {
        guard FileSystem.size(work.database) > 0 else { return ([], SalvageReport()) }
        let tables = try TableSalvage(path: work.database, key, target: target)
        let counts = try tables.run()
        return (counts, tables.report)
    }

    /// The higher sequences of both: a sequence must not be assigned twice.
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

    /// Copies the blobs. Blobs that cannot be copied are reported as lost, and the records are
    /// recovered nevertheless.
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

    /// The plaintext files that a crash has left among encrypted blobs; empty if the key of the
    /// blobs is unknown. The new database has the same key.
    private func plainLeftovers(_ draft: BundlePath) -> Set<String> {
        guard let key, let context = try? draft.openDraft(key) else { return [] }
        defer { try? context.close() }
        guard let stored = try? StoredBlobKey.stored(in: context),
            let cipher = try? BlobCipher(stored: stored, key)
        else { return [] }
        let blobs = BlobDirectory(
            source.attachments, bundle: source.directory, graceSeconds: 0, now: { 0 },
            cipher: cipher)
        let misnamed = try? blobs.misnamedFiles()
        return Set(misnamed?.plain ?? [])
    }
}
