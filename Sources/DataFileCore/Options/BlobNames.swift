/// How the files of blobs are named in an encrypted database.
public enum BlobNames: Sendable {
    /// By keyed digests: without the key, a file cannot be recognized as a known blob.
    case keyed
    /// By the digests of the bytes, as without encryption.
    case digests
}

/// The steps of storing a blob, for tests that make one fail.
package enum BlobStep: CaseIterable, Sendable {
    case createDirectory, make, write, sync, rename, syncDirectory, syncBundle
}
