/// How the files of blobs are named in an encrypted database.
public enum BlobNames: Sendable {
    /// By digests under the key: who does not have it cannot tell whether a file is one that is
    /// known.
    case keyed
    /// By the digests of the bytes, as without encryption.
    case digests
}

/// The points at which making a blob can fail.
package enum BlobStep: CaseIterable, Sendable {
    case createDirectory, make, write, sync, rename, syncDirectory, syncBundle
}
