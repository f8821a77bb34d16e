internal import SQLCore
internal import StoreFormat

/// Deletes and renames databases that nobody has open.
enum BundleMove {
    /// Removes a bundle with all that is in it.
    ///
    /// It is moved away first, so that after a crash either the database is whole or it is gone.
    static func delete(_ bundle: BundlePath, waitMilliseconds: Int) throws {
        try bundle.requireBundle()
        AbandonedBundles.remove(in: bundle.parent)
        let doomed = bundle.unusedSibling("deleted")
        try ExclusiveAccess.run(bundle, waitMilliseconds: waitMilliseconds) {
            try FileSystem.move(bundle.directory, to: doomed)
            try FileSystem.syncDirectory(bundle.parent)
        }
        try FileSystem.removeTree(doomed)
        try FileSystem.syncDirectory(bundle.parent)
    }

    /// Takes back the making of a database; see `DataFile.unmake`.
    static func unmake(_ bundle: BundlePath, keepsDirectory: Bool, onlyUnfilled: Bool) throws -> Bool {
        guard FileSystem.entry(bundle.database) == .file else { return false }
        let isGone = try ExclusiveAccess.run(bundle, waitMilliseconds: 0) {
            // Only now nobody else can fill it.
            if onlyUnfilled, !isUnfilled(bundle) { return false }
            try FileSystem.removeContents(of: bundle.directory)
            return true
        }
        if isGone, !keepsDirectory { FileSystem.removeEmptyDirectory(bundle.directory) }
        return isGone
    }

    /// Whether there is no table in a file: there is no space for one in the first page, which is
    /// written before them, nor is one in the log.
    private static func isUnfilled(_ bundle: BundlePath) -> Bool {
        FileSystem.size(bundle.database) <= DataFileOptions().pageSize
            && FileSystem.size(bundle.wal) <= 0
    }

    /// Gives a bundle another path in the same file system.
    static func rename(
        _ bundle: BundlePath, to target: BundlePath, waitMilliseconds: Int
    ) throws {
        try bundle.requireBundle()
        guard FileSystem.entry(target.directory) == .nothing else {
            throw FileSystem.exists(target.directory)
        }
        try ExclusiveAccess.run(bundle, waitMilliseconds: waitMilliseconds) {
            try FileSystem.move(bundle.directory, to: target.directory)
            try FileSystem.syncDirectory(target.parent)
            if target.parent != bundle.parent { try FileSystem.syncDirectory(bundle.parent) }
        }
        settleWAL(of: target)
    }

    /// Moves what the log holds into the file. The log came along, so it may as well stay.
    private static func settleWAL(of bundle: BundlePath) {
        guard FileSystem.entry(bundle.wal) == .file,
            let context = try? bundle.connect(.readWrite)
        else { return }
        _ = try? context.selectValue(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
