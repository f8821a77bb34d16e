/// How the files of blobs are named in an encrypted database.
///
/// It is chosen when a database gets the key of its blobs: when it is created with a key or
/// encrypted later, by ``DataFileOptions/blobNames`` or ``DataFile/encrypt(path:key:blobNames:)``.
/// It does not change until the database is decrypted.
public enum BlobNames: Sendable {
    /// By keyed digests (default): without the key, a file cannot be recognized as a known blob.
    case keyed
    /// By the digests of the bytes, as without encryption. Tools can find a blob's file by its
    /// reference, and so can others: anyone with a copy of a photo can find out that it is in the
    /// database.
    case digests
}

/// The steps of storing a blob, for tests that make one fail.
package enum BlobStep: CaseIterable, Sendable {
    case createDirectory, make, write, sync, rename, syncDirectory, syncBundle
}
