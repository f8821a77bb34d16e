extension DataFile {
    /// Copies the current state of the database to a new directory, as a backup or a template.
    ///
    /// ```swift
    /// try file.copy(to: path) { progress in
    ///     show("\(progress.copiedPages) of \(progress.totalPages) pages")
    ///     return true
    /// }
    /// ```
    ///
    /// Other connections can read and write meanwhile; their changes are not in the copy. The copy
    /// is created atomically and synced to disk; it includes blobs and permissions, and has the key
    /// of an encrypted database. Use it instead of copying files: a file that is in use, copied
    /// without its WAL, lacks commits.
    ///
    /// Only a crash can leave files: a directory `.store-new-…` next to the copy, which the next
    /// copy, recovery or deletion in the same parent directory removes. While blobs are copied,
    /// `compact` in any process removes none.
    ///
    /// - Parameters:
    ///   - path: the new directory, which must not exist, nor be inside another database.
    ///   - newUUIDs: whether the copy gets UUIDs of its own, so that peers can distinguish it from
    ///     this database; its `previousPrivateUUID` identifies the source. False (default) for a
    ///     backup.
    ///   - progress: called after each 256 pages; return false to cancel.
    /// - Throws: `EEXIST` in the domain ``StoreError/Domain/posix`` if `path` exists, `ENOSPC` if
    ///   the disk is full; `CancellationError` if `progress` returns false; what `progress` throws;
    ///   another ``StoreError``. Nothing is left then.
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
    /// ```swift
    /// file.close()
    /// try DataFile.delete(path: path, waitMilliseconds: 1000)
    /// ```
    ///
    /// Close all handles first. The directory is renamed before it is removed, so that after a
    /// crash the database is either complete or gone. Links in it are removed, never followed. A
    /// crash can leave a directory `.store-deleted-…` next to it, which the next copy, recovery or
    /// deletion in the same parent directory removes. A damaged or empty database can be deleted,
    /// too, without its key.
    ///
    /// - Parameters:
    ///   - path: the directory, which must contain a file `db.sqlite3`.
    ///   - waitMilliseconds: how long to wait for other connections to close it; 0 (default) to
    ///     fail at once.
    /// - Throws: ``StoreError/Code/busy`` if a connection of this or another process still has it
    ///   open; ``StoreError/Code/notFound``; ``StoreError/Code/notADatabaseFile`` for any other
    ///   directory; ``StoreError/Code/invalidParameter`` for a link;
    ///   ``StoreError/Code/notWriteable``; or the system's error in the domain
    ///   ``StoreError/Domain/posix``.
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
    /// ```swift
    /// let old = try DatabaseName("people").path(in: "/var/lib/app")
    /// let new = try DatabaseName("archive").path(in: "/var/lib/app")
    /// try DataFile.rename(path: old, to: new)
    /// ```
    ///
    /// Close all handles first. Commits that are only in the WAL move with the file. To move a
    /// database to another file system, `copy` and delete it.
    ///
    /// - Parameters:
    ///   - path: the directory, which must contain a file `db.sqlite3`.
    ///   - newPath: the new directory, which must not exist; its parent must.
    ///   - waitMilliseconds: how long to wait for other connections to close it; 0 by default.
    /// - Throws: as ``delete(path:waitMilliseconds:)`` does; `EEXIST` in the domain
    ///   ``StoreError/Domain/posix`` if `newPath` exists, `EXDEV` if it is in another file system.
    public static func rename(
        path: String, to newPath: String, waitMilliseconds: Int = 0
    ) throws {
        try BundleMove.rename(
            BundlePath(path), to: BundlePath(newPath), waitMilliseconds: waitMilliseconds)
    }
}
