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

extension DataFile {
    /// Deletes a database: the folder and all that is in it.
    ///
    /// Links in it are removed and never followed. After a crash, a folder `.store-deleted-…` can
    /// be left beside it, which is of no use.
    ///
    /// - Parameters:
    ///   - path: the folder; only one with a file `db.sqlite3` is deleted.
    ///   - waitMilliseconds: how long to wait for others to close it.
    ///
    /// Throws `.busy` while anyone, in this process or another, has it open; `.notFound`,
    /// `.notADatabaseFile`, `.invalidParameter` for a link, `.notWriteable`, or the system's error
    /// in the domain `.posix`.
    public static func delete(path: String, waitMilliseconds: Int = 0) throws {
        try BundleMove.delete(BundlePath(path), waitMilliseconds: waitMilliseconds)
    }

    /// Renames a database, or moves it within its file system.
    ///
    /// Throws as `delete(path:waitMilliseconds:)` does; `EEXIST` in the domain `.posix` if there is
    /// something at `newPath`.
    public static func rename(
        path: String, to newPath: String, waitMilliseconds: Int = 0
    ) throws {
        try BundleMove.rename(
            BundlePath(path), to: BundlePath(newPath), waitMilliseconds: waitMilliseconds)
    }
}
