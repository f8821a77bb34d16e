internal import SQLCore

/// Deletes and renames databases that nobody has open.
enum BundleMove {
    /// Removes a bundle with all that is in it.
    ///
    /// It is moved away first, so that after a crash either the database is whole or it is gone.
    static func delete(_ bundle: BundlePath, waitMilliseconds: Int) throws {
        try bundle.requireBundle()
        let doomed = bundle.unusedSibling("deleted")
        try ExclusiveAccess.run(bundle, waitMilliseconds: waitMilliseconds) {
            try FileSystem.move(bundle.folder, to: doomed)
            try FileSystem.syncFolder(bundle.parent)
        }
        try FileSystem.removeTree(doomed)
        try FileSystem.syncFolder(bundle.parent)
    }

    /// Gives a bundle another path in the same file system.
    static func rename(
        _ bundle: BundlePath, to target: BundlePath, waitMilliseconds: Int
    ) throws {
        try bundle.requireBundle()
        guard FileSystem.entry(target.folder) == .nothing else {
            throw FileSystem.exists(target.folder)
        }
        try ExclusiveAccess.run(bundle, waitMilliseconds: waitMilliseconds) {
            try FileSystem.move(bundle.folder, to: target.folder)
            try FileSystem.syncFolder(target.parent)
            if target.parent != bundle.parent { try FileSystem.syncFolder(bundle.parent) }
        }
        settleLog(of: target)
    }

    /// Moves what the log holds into the file. The log came along, so it may as well stay.
    private static func settleLog(of bundle: BundlePath) {
        guard FileSystem.kind(bundle.log) == .file,
            let context = try? SQLContext(path: bundle.database, flags: [.readWrite, .noMutex])
        else { return }
        _ = try? context.selectValue(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
