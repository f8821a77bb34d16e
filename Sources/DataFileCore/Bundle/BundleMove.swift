internal import SQLCore
internal import StoreFormat

/// Deletes and renames databases that no connection has open.
enum BundleMove {
    /// Removes a bundle with everything in it.
    ///
    /// Renames it first, so that after a crash either the database is complete or it is gone.
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

    /// Undoes the creation of a database; see `DataFile.unmake`.
    static func unmake(
        _ bundle: BundlePath, keepsDirectory: Bool, onlyUnfilled: Bool
    ) throws -> Bool {
        guard FileSystem.entry(bundle.database) == .file else { return false }
        let isGone = try ExclusiveAccess.run(bundle, waitMilliseconds: 0) {
            // From here on no other process can fill it.
            if onlyUnfilled, !isUnfilled(bundle) { return false }
            try FileSystem.removeContents(of: bundle.directory)
            return true
        }
        if isGone, !keepsDirectory { FileSystem.removeEmptyDirectory(bundle.directory) }
        return isGone
    }

    /// Whether a file has no table: neither pages after the first one, in which a table does not
    /// fit, nor frames in the WAL.
    private static func isUnfilled(_ bundle: BundlePath) -> Bool {
        FileSystem.size(bundle.database) <= DataFileOptions().pageSize
            && FileSystem.size(bundle.wal) <= 0
    }

    /// Renames a bundle within the file system.
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

    /// Checkpoints the WAL. It was moved with the file, so failing to do so is harmless.
    private static func settleWAL(of bundle: BundlePath) {
        guard FileSystem.entry(bundle.wal) == .file,
            let context = try? bundle.connect(.readWrite)
        else { return }
        _ = try? context.selectValue(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
