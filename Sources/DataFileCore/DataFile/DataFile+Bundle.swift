extension DataFile {
    /// Copies the current state of the database to a new directory, as a backup or a template.
    ///
    /// Other connections can read and write meanwhile. The copy is created atomically and synced to
    /// disk; it includes blobs and permissions. Only a crash can leave files: a directory
    /// `.store-new-…` next to the copy, which the next copy, recovery or deletion in the same
    /// parent directory removes.
    ///
    /// - Parameters:
    ///   - path: the new directory, which must not exist.
    ///   - newUUIDs: whether the copy gets UUIDs of its own, so that peers can distinguish it from
    ///     this database; its `previousPrivateUUID` identifies the source. False for a backup.
    ///   - progress: called periodically; return false to cancel, which is the same as cancelling
    ///     the task.
    ///
    /// Throws `EEXIST` in the domain `.posix` if `path` exists, `CancellationError`, or another
    /// `StoreError`.
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
    /// Deletes a database: the directory with everything in it.
    ///
    /// Links in it are removed, never followed. A crash can leave a directory `.store-deleted-…`
    /// next to it, which the next copy, recovery or deletion in the same parent directory removes.
    ///
    /// - Parameters:
    ///   - path: the directory, which must contain a file `db.sqlite3`.
    ///   - waitMilliseconds: how long to wait for other connections to close it.
    ///
    /// Throws `.busy` if a connection of this or another process still has it open; `.notFound`,
    /// `.notADatabaseFile`, `.invalidParameter` for a link, `.notWriteable`, or the system's error
    /// in the domain `.posix`.
    public static func delete(path: String, waitMilliseconds: Int = 0) throws {
        try BundleMove.delete(BundlePath(path), waitMilliseconds: waitMilliseconds)
    }

    /// Undoes the creation of a database whose directory was empty before or did not exist, so that
    /// all of its contents belong to the database.
    ///
    /// - Parameters:
    ///   - keepsDirectory: whether the directory existed before, and stays as an empty directory.
    ///   - onlyUnfilled: whether to remove only a file without tables, which opening leaves if it
    ///     fails, for example on a full disk.
    /// - Returns: whether the database was removed.
    ///
    /// Throws `.busy` if a connection has it open, or the system's error in the domain `.posix`.
    package static func unmake(
        path: String, keepsDirectory: Bool, onlyUnfilled: Bool = false
    ) throws -> Bool {
        try BundleMove.unmake(
            BundlePath(path), keepsDirectory: keepsDirectory, onlyUnfilled: onlyUnfilled)
    }

    /// Renames a database, or moves it within its file system.
    ///
    /// Throws as `delete(path:waitMilliseconds:)` does; `EEXIST` in the domain `.posix` if
    /// `newPath` exists.
    public static func rename(
        path: String, to newPath: String, waitMilliseconds: Int = 0
    ) throws {
        try BundleMove.rename(
            BundlePath(path), to: BundlePath(newPath), waitMilliseconds: waitMilliseconds)
    }
}
