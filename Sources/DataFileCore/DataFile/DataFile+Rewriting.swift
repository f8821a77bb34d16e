public import SQLCore
public import StoreFormat

extension DataFile {
    /// Writes the whole file again, without space that nothing stands in and with the rows of each
    /// table side by side. `VACUUM`
    ///
    /// `compact` cuts free pages off instead, which is faster and leaves the order as it is. It
    /// needs as much space again as the file has, twice for a moment, and keeps all writers waiting.
    ///
    /// Throws `.notWriteable`, `.busy`, `.unsupported` if functions of the indexes are missing, or
    /// `ENOSPC` in the domain `.posix`; nothing is changed then.
    public func rewrite() throws {
        try withWriterContext { try Self.rewrite($0, path) }
    }

    static func rewrite(_ context: SQLContext, _ path: String) throws {
        try context.checkCancellation()
        do {
            try MissingFunction.explaining("rewritten", context, path: path) {
                try context.exec(sql: "PRAGMA auto_vacuum=incremental; VACUUM")
            }
        } catch let error as SQLError where .full ~= error.code {
            if TemporaryDirectory.ifFuller(thanDiskOf: path) != nil {
                throw StoreError.noSpace(
                    "\(path) was not changed", path: path, underlying: error)
            }
            throw StoreError.fullDisk(
                "\(path) was not changed: to write it again takes as much space again as it has, "
                    + "beside it and where temporary files are (TMPDIR)", underlying: error)
        }
        try context.exec(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Removes the blobs that nothing in the file refers to, as `compact` does, and nothing else.
    ///
    /// Throws `.notWriteable` or `.busy`.
    @discardableResult
    public func removeUnusedBlobs() throws -> UnusedBlobRemoval {
        let place = try requireWriter().blobs
        return try withWriterContext { context in
            let removal = try BlobCollector(context: context, place: place).run()
            return UnusedBlobRemoval(
                count: removal.blobs, totalBytes: removal.bytes, isComplete: removal.isComplete,
                unreadableDocuments: removal.unreadable)
        }
    }
}

/// What `DataFile.removeUnusedBlobs` did.
public struct UnusedBlobRemoval: Hashable, Sendable {
    /// How many blobs were removed.
    public let count: Int
    /// How many bytes they had.
    public let totalBytes: Int
    /// Whether all unused blobs were removed; false where others were copying them, where the file
    /// system has no locks, and where documents cannot be read.
    public let isComplete: Bool
    /// Documents that are damaged and may refer to any blob, so that none was removed; nil if
    /// there are none.
    public let unreadableDocuments: UnreadableDocuments?
}

// What is done with a whole database that nobody has open; keys are those of SQLPlus.
// `docs/encryption.md`
extension DataFile {
    /// Encrypts a plain database and its blobs, in place.
    ///
    /// After a crash the database is as it was, or encrypted; plain blobs beside encrypted ones
    /// and a file `db.sqlite3-encryption` are removed by the next opening for writing, other
    /// files of blobs that are of no use by `compact`. What was in the old files can stay on the
    /// disk until the system uses its blocks again.
    ///
    /// - Parameter blobNames: how the files of the blobs are named.
    ///
    /// Throws `.busy` while anyone has it open, `.notADatabaseFile` if it is encrypted already,
    /// `.corruptData` for a damaged blob, which the message names, `.notFound`, or what the system
    /// says, in the domain `.posix`; `CancellationError` in a task that is cancelled. Nothing is
    /// changed then, unless the underlying error is `EncryptionError.converted`.
    public static func encrypt(
        path: String, key: any DatabaseKey, blobNames: BlobNames = .keyed
    ) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.directory) {
            try BundleEncryption(bundle: bundle).encrypt(key, blobNames)
        }
    }

    /// Makes an encrypted database and its blobs plain, in place.
    ///
    /// After a crash the database is as it was, or plain. Throws as
    /// `encrypt(path:key:blobNames:)` does; `.notADatabaseFile` for another key.
    public static func decrypt(path: String, key: any DatabaseKey) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.directory) {
            try BundleEncryption(bundle: bundle).decrypt(key)
        }
    }

    /// Gives an encrypted database another key, in place. Blobs stay as they are: their key is in
    /// the database.
    ///
    /// After a crash the database has the old key, or the new one. Throws as
    /// `encrypt(path:key:blobNames:)` does; `.notADatabaseFile` for another key than `old`.
    public static func rekey(
        path: String, from old: any DatabaseKey, to new: any DatabaseKey
    ) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.directory) {
            try BundleEncryption(bundle: bundle).rekey(from: old, to: new)
        }
    }
}
