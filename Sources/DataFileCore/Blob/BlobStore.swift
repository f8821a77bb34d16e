internal import FleeceLite
internal import StoreFormat

/// The blobs of a data file: bytes that documents refer to, each blob in a separate file.
///
/// ```swift
/// let photo = try file.blobs.put(bytes, contentType: "image/jpeg")
/// let bytes = try file.blobs.bytes(of: photo)
/// ```
/// A blob exists as long as a saved document refers to it. One that is not in a document yet is
/// retained for `DataFileOptions.blobGraceSeconds`; `DataFile.compact` removes other unused blobs.
/// The store can be used from all threads; calls block the calling thread, except
/// `chunks(of:bytes:)`.
public struct BlobStore: Sendable {
    package let storage: any BlobStorage
    /// Throws unless the file is open and, for writing, writable.
    package let require: @Sendable (_ writing: Bool) throws -> Void
    /// Files that only SQLite may open: closing them would release its locks.
    let forbidden: [String]

    init(
        _ storage: any BlobStorage, forbidden: [String],
        require: @escaping @Sendable (_ writing: Bool) throws -> Void
    ) {
        self.storage = storage
        self.forbidden = forbidden
        self.require = require
    }
}

// Putting. A blob is on disk, under its name, when the call returns.
extension BlobStore {
    /// Stores bytes, unless the same blob exists already.
    ///
    /// The blob is on disk when the call returns. Unless a saved document refers to it,
    /// `DataFile.compact` removes it after the grace period
    /// ``DataFileOptions/blobGraceSeconds``; within the `write` that saves the document it is safe.
    /// For large blobs use ``put(contentsOfFile:contentType:)`` or ``writer()``, which need little
    /// memory.
    ///
    /// - Parameters:
    ///   - bytes: the blob; it may be empty.
    ///   - contentType: the MIME type of the bytes.
    /// - Returns: the reference to save in a document.
    /// - Throws: `.notOpen`; `.notWriteable` for a read-only handle; `.unsupported` if the
    ///   directory of blobs is a link; or the system's error in the domain `.posix`. Nothing is
    ///   stored then.
    public func put(
        _ bytes: some Collection<UInt8>, contentType: String? = nil
    ) throws -> Blob {
        try bytes.withBytes { try put($0, contentType: contentType) }
    }

    /// Stores borrowed bytes. Throws as for other bytes.
    public func put(_ bytes: UnsafeRawBufferPointer, contentType: String? = nil) throws -> Blob {
        try require(true)
        let digest = try BlobDigest(of: bytes)
        let blob = Blob(digest: digest, length: bytes.count, contentType: contentType)
        if try storage.reuse(digest, length: bytes.count) { return blob }
        let draft = try storage.draft()
        defer { draft.discard() }
        try draft.write(bytes)
        try draft.install(digest, length: bytes.count)
        return blob
    }

    /// Stores the contents of a file, which it reads in parts of bounded size.
    ///
    /// - Parameters:
    ///   - path: the path of a regular file; symbolic links are followed.
    ///   - contentType: the MIME type of the contents.
    /// - Returns: the reference to save in a document.
    /// - Throws: the same errors as for bytes; also `.invalidParameter` if `path` is not a file,
    ///   or is the database itself, which only SQLite may open.
    public func put(contentsOfFile path: String, contentType: String? = nil) throws -> Blob {
        try require(true)
        if let identity = FileSystem.identity(path),
            forbidden.contains(where: { FileSystem.identity($0) == identity })
        {
            throw StoreError(
                .invalidParameter,
                "\(path) is the database itself, which cannot be read while it is open; copy it "
                    + "with DataFile.copy")
        }
        let writer = try writer()
        defer { writer.cancel() }
        try FileSource(OpenFile(reading: path)).forEachPart { try writer.write($0) }
        return try writer.finish(contentType: contentType)
    }

    /// Creates a writer for a blob that is written in parts.
    ///
    /// Use it for bytes that are produced or received over time. The blob exists only after
    /// ``BlobWriter/finish(contentType:)``. Throws the same errors as for bytes.
    public func writer() throws -> BlobWriter {
        try require(true)
        return BlobWriter(try storage.draft())
    }
}

// Reading.
extension BlobStore {
    /// Opens a blob for reading sequentially or at any offset.
    ///
    /// The reader stays valid if the blob is removed meanwhile. Opening checks the length, but not
    /// the digest; see ``verify(_:)``.
    ///
    /// Throws `.notFound` if it does not exist, `.corruptData` if its length is not that of the
    /// reference, `.unsupported` if it is a link or device, or the system's error in the domain
    /// `.posix`.
    public func open(_ blob: Blob) throws -> BlobReader { BlobReader(try source(blob)) }

    /// Reads all bytes of a blob into memory.
    ///
    /// For large blobs use ``open(_:)`` or ``chunks(of:bytes:)``. Does not compare the digest; see
    /// ``verify(_:)``. Throws the same errors as ``open(_:)``.
    public func bytes(of blob: Blob) throws -> [UInt8] {
        try open(blob).readChunk(maximum: .max)
    }

    /// The bytes of a blob in chunks, read on a separate thread.
    ///
    /// Iterating throws as `open(_:)` does.
    ///
    /// - Parameter bytes: the maximum size of a chunk.
    public func chunks(of blob: Blob, bytes: Int = 1 << 16) -> BlobChunks {
        BlobChunks(store: self, blob: blob, bytes: max(bytes, 1))
    }

    /// Whether a blob exists; its contents are not checked.
    public func contains(_ blob: Blob) throws -> Bool { try size(of: blob) != nil }

    /// The number of stored bytes of a blob; nil if it does not exist.
    public func size(of blob: Blob) throws -> Int? {
        try require(false)
        return try storage.size(blob.digest)
    }

    func source(_ blob: Blob) throws -> any BlobSource {
        try require(false)
        guard let source = try storage.source(blob.digest) else {
            throw StoreError(
                .notFound,
                "\(storage.shown(blob.digest)), the blob \(blob.digest), does not exist; restore "
                    + "the file from a backup, or put the same bytes again")
        }
        guard source.length == blob.length ?? source.length else {
            throw StoreError(
                .corruptData,
                "\(storage.shown(blob.digest)) has \(source.length) bytes, but the reference to "
                    + "the blob \(blob.digest) specifies \(blob.length ?? 0); put the same bytes "
                    + "again, or read the existing ones by a reference without a length")
        }
        return source
    }
}
