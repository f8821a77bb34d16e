public import SQLCore
public import StoreFormat

extension DataFile {
    /// Rewrites the whole file without unused space, with the rows of each table in order, by
    /// `VACUUM`.
    ///
    /// ```swift
    /// do {
    ///     try file.vacuum()
    /// } catch let error as StoreError where error.domain == .posix {
    ///     show("not enough space for a second copy", error.message)
    /// }
    /// ```
    ///
    /// `compact` truncates free pages instead, which is faster and does not reorder pages; rewrite
    /// a file whose rows were written in random order and are read sequentially. A vacuum needs
    /// free space of the file's size, temporarily twice that, and blocks all writers.
    ///
    /// - Throws: ``StoreError/Code/notWriteable``; ``StoreError/Code/busy``;
    ///   ``StoreError/Code/unsupported`` if functions of the indexes are missing; or `ENOSPC` in
    ///   the domain ``StoreError/Domain/posix``. Nothing is changed then.
    public func vacuum() throws {
        try withWriterContext { try Self.vacuum($0, path) }
    }

    static func vacuum(_ context: SQLContext, _ path: String) throws {
        try context.checkCancellation()
        do {
            try MissingFunction.explaining("rewritten", context, path: path) {
                try context.exec(sql: "PRAGMA auto_vacuum=incremental; VACUUM")
            }
        } catch let error as SQLError where .full ~= error.code {
            if SQLiteTemporaryDirectory.ifFuller(thanDiskOf: path) != nil {
                throw StoreError.noSpace(
                    "\(path) was not changed", path: path, underlying: error)
            }
            throw StoreError.fullDisk(
                "\(path) was not changed: rewriting it needs free space of its size, both "
                    + "on its disk and on that of temporary files (TMPDIR)", underlying: error)
        }
        try context.exec(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Removes the blobs that nothing in the file refers to, like `compact`, and nothing else.
    ///
    /// ```swift
    /// let removal = try file.removeUnusedBlobs()
    /// if !removal.isComplete { show("some remain", removal.unreadableDocuments?.count ?? 0) }
    /// ```
    ///
    /// Reads all rows of all collections if there are blobs older than
    /// ``DataFileOptions/blobGraceSeconds``, most of the time without blocking writers.
    ///
    /// - Returns: the number and size of the removed blobs.
    /// - Throws: ``StoreError/Code/notWriteable`` or ``StoreError/Code/busy``; another
    ///   ``StoreError`` if rows cannot be read. No blob is removed then.
    @discardableResult
    public func removeUnusedBlobs() throws -> UnusedBlobRemoval {
        let storage = try requireWriter().blobs
        return try withWriterContext { context in
            let removal = try BlobCollector(context: context, storage: storage).run()
            return UnusedBlobRemoval(
                count: removal.blobs, totalBytes: removal.bytes, isComplete: removal.isComplete,
                unreadableDocuments: removal.unreadable)
        }
    }
}

/// The result of ``DataFile/removeUnusedBlobs()``: how many blobs were removed, and whether unused
/// ones remain.
public struct UnusedBlobRemoval: Hashable, Sendable {
    /// The number of removed blobs.
    public let count: Int
    /// Their total length in bytes.
    public let totalBytes: Int
    /// Whether all unused blobs were removed; false if a copy was in progress, if the file system
    /// has no locks, and if documents are unreadable.
    public let isComplete: Bool
    /// Damaged documents that may refer to any blob, so that none was removed; nil if there are
    /// none.
    public let unreadableDocuments: UnreadableDocuments?
}

// Operations on a database that no connection has open; keys are those of SQLPlus.
// `docs/encryption.md`
extension DataFile {
    /// Encrypts a plaintext database and its blobs in place.
    ///
    /// ```swift
    /// file.close()
    /// try DataFile.encrypt(path: path, key: databaseKey)
    /// var options = DataFileOptions(access: .readWrite)
    /// options.encryption = databaseKey
    /// let encrypted = try DataFile(path: path, options: options)
    /// ```
    ///
    /// Close all handles first, and have free space for a second copy of everything. After a crash
    /// the database is either unchanged or encrypted. The next opening for writing removes
    /// plaintext blobs next to encrypted ones and a file `db.sqlite3-encryption`; `compact` removes
    /// other unneeded blob files. The contents of the old files can remain on the disk until the
    /// system reuses the blocks. See `docs/encryption.md`.
    ///
    /// - Parameters:
    ///   - path: the directory of the database.
    ///   - key: the new key, an `EncryptionKey` of SQLPlus.
    ///   - blobNames: how the files of the blobs are named; by keyed digests by default.
    /// - Throws: ``StoreError/Code/busy`` if a connection has it open;
    ///   ``StoreError/Code/notADatabaseFile`` if it is encrypted already;
    ///   ``StoreError/Code/corruptData`` for a damaged blob, which the message names;
    ///   ``StoreError/Code/notFound``, or the system's error in the domain
    ///   ``StoreError/Domain/posix``; `CancellationError` in a cancelled task. Nothing is changed
    ///   then, unless the underlying error is `EncryptionError.converted`.
    public static func encrypt(
        path: String, key: any DatabaseKey, blobNames: BlobNames = .keyed
    ) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.directory) {
            try BundleEncryption(bundle: bundle).encrypt(key, blobNames)
        }
    }

    /// Decrypts an encrypted database and its blobs in place. Close all handles first.
    ///
    /// ```swift
    /// try DataFile.decrypt(path: path, key: databaseKey)
    /// let plain = try DataFile(path: path)
    /// ```
    ///
    /// After a crash the database is either unchanged or plaintext.
    ///
    /// - Throws: as ``encrypt(path:key:blobNames:)`` does; ``StoreError/Code/notADatabaseFile`` for
    ///   a wrong key.
    public static func decrypt(path: String, key: any DatabaseKey) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.directory) {
            try BundleEncryption(bundle: bundle).decrypt(key)
        }
    }

    /// Changes the key of an encrypted database in place. Blobs are not changed: their key is in
    /// the database.
    ///
    /// ```swift
    /// try DataFile.rekey(path: path, from: databaseKey, to: newDatabaseKey)
    /// ```
    ///
    /// Close all handles first. All pages are written again; a rollback journal, encrypted with the
    /// old key, restores them after a crash, so the database has either the old or the new key.
    ///
    /// - Parameters:
    ///   - path: the directory of the database.
    ///   - old: its key.
    ///   - new: the key that it gets.
    /// - Throws: as ``encrypt(path:key:blobNames:)`` does; ``StoreError/Code/notADatabaseFile`` if
    ///   `old` is not the key.
    public static func rekey(
        path: String, from old: any DatabaseKey, to new: any DatabaseKey
    ) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.directory) {
            try BundleEncryption(bundle: bundle).rekey(from: old, to: new)
        }
    }
}
