internal import QueryFunctions
internal import StoreFormat

/// Where blobs are kept: a directory, or memory.
package protocol BlobStorage: AnyObject, Sendable {
    /// How a blob is called in messages.
    func shown(_ digest: BlobDigest) -> String
    /// A blob in the making.
    func draft() throws -> any BlobDraft
    /// Whether the blob is there with all its bytes; it then counts as put just now.
    func reuse(_ digest: BlobDigest, length: Int) throws -> Bool
    /// A blob's bytes, nil if it is not there.
    func source(_ digest: BlobDigest) throws -> (any BlobSource)?
    /// How many bytes a blob has, nil if it is not there.
    func size(_ digest: BlobDigest) throws -> Int?
    /// All blobs, in no order.
    func digests() throws -> [BlobDigest]

    /// What may be removed if nothing refers to it: what was put longer ago than the grace.
    func candidates() throws -> BlobCandidates
    /// Removes those that may still be removed, and what interrupted puts have left.
    ///
    /// - Parameter keepsEncrypted: whether encrypted files of a plain database are no leftovers,
    ///   since it has their key.
    func remove(_ unused: Set<BlobDigest>, keepsEncrypted: Bool) throws -> BlobRemoval
    /// What stands beside the blobs in another form than theirs.
    func strays() throws -> MisnamedBlobFiles
    /// Tells of a blob whether there is a file of it that is so damaged that it does not say whose
    /// it is, or a link or the like in its place, which `digests()` passes over; nil if there is
    /// nothing of the kind.
    func damaged() throws -> ((BlobDigest) -> Bool)?
    /// As long as what it returns lives, nothing is removed.
    func keep() throws -> (any Sendable)?
}

/// A blob in the making. What is not installed is removed when it goes.
package protocol BlobDraft: AnyObject {
    func write(_ bytes: UnsafeRawBufferPointer) throws
    /// Makes it a blob, on the disk when this returns; it is of no use afterwards.
    func install(_ digest: BlobDigest, length: Int) throws
    /// Removes it.
    func discard()
}

/// The bytes of a blob, as they were when it was opened, whoever removes it meanwhile.
package protocol BlobSource: AnyObject, Sendable {
    var length: Int { get }
    /// Fills a buffer from an offset on; returns how many bytes there were.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int
}

/// What a collection may remove.
package struct BlobCandidates {
    package var digests: Set<BlobDigest> = []
    /// There are files that puts, or changes of encryption, may have left.
    var hasLeftovers = false
}

/// Files of another form than the blobs have, by their names.
package struct MisnamedBlobFiles {
    /// Of an encrypted database: plain ones beside their encrypted forms.
    package var plain: [String] = []
    /// Of a plain database: encrypted ones.
    package var encrypted: [String] = []

    package init(plain: [String] = [], encrypted: [String] = []) {
        self.plain = plain
        self.encrypted = encrypted
    }
}

/// What was removed.
package struct BlobRemoval {
    var blobs = 0
    var bytes = 0
    /// False if nothing could be removed, since others were at work, there are no locks, or
    /// documents cannot be read.
    var isComplete = true
    /// Those that may refer to any blob; nil if there are none.
    var unreadable: UnreadableDocuments?
}

extension BlobStorage {
    /// The whole of a blob for the SQL function `fl_blob`; nil if it is not there, cannot be read,
    /// or is larger than a function's result may be.
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
    /// Reads all of it, some at a time, and hands each part to `body`.
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

    /// The digest of its bytes as they are.
    func digest() throws -> BlobDigest {
        var hash = SHA1()
        try forEachPart { hash.add($0) }
        return try BlobDigest(hash)
    }
}
