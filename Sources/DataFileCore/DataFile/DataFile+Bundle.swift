extension DataFile {
    /// Copies the database, as it is at this moment, to a new directory: a backup, or a template.
    ///
    /// Others can read and write meanwhile. The copy appears whole, synced to the disk, or not at
    /// all; blobs and permissions come along. Only a crash can leave something behind: a directory
    /// `.store-new-…` beside it, which is of no use, and which the next copy, salvage or deletion
    /// beside it removes.
    ///
    /// - Parameters:
    ///   - path: the new directory, where nothing may be yet.
    ///   - newUUIDs: whether the copy is a database of its own, so that peers can tell it from this
    ///     one; its `previousPrivateUUID` says what it was made from. A backup keeps the old ones.
    ///   - progress: called now and then; false cancels, as cancelling the task does.
    ///
    /// Throws `EEXIST` in the domain `.posix` if there is something at `path`, `CancellationError`,
    /// or another `StoreError`.
    public func copy(
        to path: String, newUUIDs: Bool = false,
        progress: (CopyProgress) throws -> Bool = { _ in true }
    ) throws {
        try withoutActuallyEscaping(progress) { progress in
            try withReaderContext { context in
                let copy = BundleCopy(
                    source: context, bundle: shared.isInMemory ? nil : BundlePath(self.path),
                    newUUIDs: newUUIDs, progress: progress,
                    key: options.encryption, blobs: shared.blobs)
                try copy.run(to: BundlePath(path))
            }
        }
    }
}

extension DataFile {
    /// Deletes a database: the directory and all that is in it.
    ///
    /// Links in it are removed and never followed. After a crash, a directory `.store-deleted-…` can
    /// be left beside it, which is of no use, and which the next copy, salvage or deletion
    /// beside it removes.
    ///
    /// - Parameters:
    ///   - path: the directory; only one with a file `db.sqlite3` is deleted.
    ///   - waitMilliseconds: how long to wait for others to close it.
    ///
    /// Throws `.busy` while anyone, in this process or another, has it open; `.notFound`,
    /// `.notADatabaseFile`, `.invalidParameter` for a link, `.notWriteable`, or the system's error
    /// in the domain `.posix`.
    public static func delete(path: String, waitMilliseconds: Int = 0) throws {
        try BundleMove.delete(BundlePath(path), waitMilliseconds: waitMilliseconds)
    }

    /// Takes back the making of a database: of a new one, whose directory was empty before or not
    /// there, so that all that is in it came with it.
    ///
    /// - Parameters:
    ///   - keepsDirectory: whether the directory was there before, and stays, empty.
    ///   - onlyUnfilled: whether only a file without tables is removed, as opening leaves one
    ///     that has failed, for want of room say.
    /// - Returns: whether it is gone.
    ///
    /// Throws `.busy` while anyone has it open, or the system's error in the domain `.posix`.
    package static func unmake(
        path: String, keepsDirectory: Bool, onlyUnfilled: Bool = false
    ) throws -> Bool {
        try BundleMove.unmake(
            BundlePath(path), keepsDirectory: keepsDirectory, onlyUnfilled: onlyUnfilled)
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
