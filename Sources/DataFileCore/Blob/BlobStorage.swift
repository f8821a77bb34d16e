internal import QueryFunctions
internal import StoreFormat

/// The storage of blobs: a directory, or memory.
package protocol BlobStorage: AnyObject, Sendable {
    /// The blob's name in messages.
    func shown(_ digest: BlobDigest) -> String
    /// Creates an unfinished blob.
    func draft() throws -> any BlobDraft
    /// Whether the complete blob exists; if so, it counts as just put.
    func reuse(_ digest: BlobDigest, length: Int) throws -> Bool
    /// A blob's bytes; nil if it does not exist.
    func source(_ digest: BlobDigest) throws -> (any BlobSource)?
    /// The length of a blob in bytes; nil if it does not exist.
    func size(_ digest: BlobDigest) throws -> Int?
    /// All blobs, in no particular order.
    func digests() throws -> [BlobDigest]

    /// The blobs that may be removed if unused: those put before the grace period.
    func candidates() throws -> BlobCandidates
    /// Removes those of the blobs that may still be removed, and leftovers of interrupted puts.
    ///
    /// - Parameter keepsEncrypted: whether encrypted files of a plaintext database are not
    ///   leftovers, because the database has their key.
    func remove(_ unused: Set<BlobDigest>, keepsEncrypted: Bool) throws -> BlobRemoval
    /// Files next to the blobs that have another form than theirs.
    func misnamedFiles() throws -> MisnamedBlobFiles
    /// Returns a function that checks whether a blob may be in a file that `digests()` ignores: one
    /// too damaged to identify its blob, or a link or directory with its name. Nil if there is no
    /// such file.
    func damaged() throws -> ((BlobDigest) -> Bool)?
    /// Prevents the removal of blobs as long as the returned value exists.
    func preventRemoval() throws -> (any Sendable)?
}

/// An unfinished blob. It is removed on deinitialization unless it was installed.
package protocol BlobDraft: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws
    /// Makes it a blob, which is on disk on return. The draft cannot be used afterwards.
    func install(_ digest: BlobDigest, length: Int) throws
    /// Removes it.
    func discard()
}

/// The bytes of a blob at the time it was opened, even if it is removed meanwhile.
package protocol BlobSource: AnyObject, Sendable {
    var length: Int { get }
    /// Fills a buffer from an offset on; returns the number of bytes read.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int
}

/// The blobs that a garbage collection may remove.
package struct BlobCandidates {
    package var digests: Set<BlobDigest> = []
    /// Whether there are files that interrupted puts or encryption changes may have left.
    var hasLeftovers = false
}

/// The names of files whose form is not that of the database's blobs.
package struct MisnamedBlobFiles {
    /// In an encrypted database: plaintext files next to their encrypted forms.
    package var plain: [String] = []
    /// In a plaintext database: encrypted files.
    package var encrypted: [String] = []

    package init(plain: [String] = [], encrypted: [String] = []) {
        self.plain = plain
        self.encrypted = encrypted
    }
}

/// The result of a removal.
package struct BlobRemoval {
    var blobs = 0
    var bytes = 0
    /// False if nothing could be removed: other operations were in progress, the file system has no
    /// locks, or documents are unreadable.
    var isComplete = true
    /// Documents that may refer to any blob; nil if there are none.
    var unreadable: UnreadableDocuments?
}

extension BlobStorage {
    /// The complete blob for the SQL function `fl_blob`; nil if it does not exist, cannot be read,
    /// or exceeds the maximum size of a function result.
    func contents(ofDigest text: String) -> [UInt8]? {
        guard let digest = try? BlobDigest(text), let source = try? source(digest),
            source.length <= FunctionLimits.bytes
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: source.length)
        let isRead = bytes.withUnsafeMutableBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                guard let count = try? source.read(into: rest, at: offset), count > 0 else {
                    return false
                }
                offset += count
            }
            return true
        }
        return isRead ? bytes : nil
    }
}

/// The bytes of an open file.
final class FileSource: BlobSource {
    private let file: OpenFile
    let length: Int

    init(_ file: OpenFile) throws {
        self.file = file
        length = try file.status().size
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        try file.read(into: buffer, at: offset)
    }
}

extension BlobSource {
    /// Reads all of it in parts, and calls `body` with each part.
    package func forEachPart(
        bytes: Int = 1 << 16, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try withUnsafeTemporaryAllocation(byteCount: bytes, alignment: 16) { buffer in
            var offset = 0
            while true {
                let count = try read(into: buffer, at: offset)
                if count == 0 { return }
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                offset += count
            }
        }
    }

    /// Computes the digest of its current bytes.
    func digest() throws -> BlobDigest {
        var hash = SHA1()
        try forEachPart { hash.add($0) }
        return try BlobDigest(hash)
    }
}
