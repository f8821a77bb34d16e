public import SQLCore
internal import StoreFormat

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
        try StoreError.wrapping(path: bundle.folder) {
            try BundleEncryption(bundle: bundle).encrypt(key, blobNames)
        }
    }

    /// Makes an encrypted database and its blobs plain, in place.
    ///
    /// After a crash the database is as it was, or plain. Throws as
    /// `encrypt(path:key:blobNames:)` does; `.notADatabaseFile` for another key.
    public static func decrypt(path: String, key: any DatabaseKey) throws {
        let bundle = BundlePath(path)
        try StoreError.wrapping(path: bundle.folder) {
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
        try StoreError.wrapping(path: bundle.folder) {
            try BundleEncryption(bundle: bundle).rekey(from: old, to: new)
        }
    }
}
