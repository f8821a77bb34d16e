internal import FleeceLite
internal import StoreFormat

/// The blobs of a data file: bytes that documents refer to, each blob in a separate file.
///
/// ``DataFile/blobs`` returns it. Putting bytes returns a ``Blob``, the reference to save in a
/// document; reading takes the reference:
///
/// ```swift
/// let photo = try file.blobs.put(bytes, contentType: "image/jpeg")
/// let copy = try file.blobs.bytes(of: photo)
/// ```
///
/// Bytes of any size can be put from a file or in parts, and read in parts, with little memory:
///
/// ```swift
/// let video = try file.blobs.put(contentsOfFile: path, contentType: "video/mp4")
/// for try await chunk in file.blobs.chunks(of: video) { show(chunk.count) }
/// ```
///
/// **Life of a blob.** It exists as long as a saved document refers to it, in any of its stored
/// revisions. One that is not in a document yet is retained for
/// ``DataFileOptions/blobGraceSeconds``; `DataFile.compact` removes other unused blobs. Put it
/// inside the `write` that saves the document, and it is safe whatever the grace period is:
///
/// ```swift
/// try file.write { transaction in
///     let photo = try file.blobs.put(bytes, contentType: "image/jpeg")
///     var ada = MutableDocument("ada")
///     ada["photo"] = MutableFleeceValue(photo)
///     _ = try people.save(&ada, in: transaction)
/// }
/// ```
///
/// Blobs are not part of the transaction: after a rollback, a blob that was put in it remains until
/// a compaction removes it.
///
/// **Storage.** Equal bytes are stored once. When the call that stores a blob returns, the blob is
/// on disk. In an encrypted database blobs are encrypted. Those of an in-memory database are in
/// memory.
///
/// **Concurrency.** The store can be used from all threads; calls block the calling thread, except
/// ``chunks(of:bytes:)``. They do not use a connection, so reading a blob delays no writer.
///
/// After the handle was closed, calls throw ``StoreError/Code/notOpen``. See `docs/blobs.md`.
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
    /// ```swift
    /// let note = try file.blobs.put(Array("hello".utf8), contentType: "text/plain")
    /// ```
    ///
    /// The blob is on disk when the call returns. Unless a saved document refers to it,
    /// `DataFile.compact` removes it after the grace period ``DataFileOptions/blobGraceSeconds``;
    /// within the `write` that saves the document it is safe. For large blobs use
    /// ``put(contentsOfFile:contentType:)`` or ``writer()``, which need little memory.
    ///
    /// - Parameters:
    ///   - bytes: the blob; it may be empty.
    ///   - contentType: the MIME type of the bytes; nil by default.
    /// - Returns: the reference to save in a document.
    /// - Throws: ``StoreError/Code/notOpen``; ``StoreError/Code/notWriteable`` for a read-only
    ///   handle; ``StoreError/Code/unsupported`` if the directory of blobs is a link; or the
    ///   system's error in the domain ``StoreError/Domain/posix``. Nothing is stored then.
    public func put(
        _ bytes: some Collection<UInt8>, contentType: String? = nil
    ) throws -> Blob {
        try bytes.withBytes { try put($0, contentType: contentType) }
    }

    /// Stores borrowed bytes, without copying them first. Throws as for other bytes.
    ///
    /// ```swift
    /// let photo = try Data(contentsOf: URL(filePath: path)).withUnsafeBytes {
    ///     try file.blobs.put($0, contentType: "image/jpeg")
    /// }
    /// ```
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
    /// ```swift
    /// let photo = try file.blobs.put(contentsOfFile: path, contentType: "image/jpeg")
    /// ```
    ///
    /// The file is copied; later changes to it have no effect on the blob.
    ///
    /// - Parameters:
    ///   - path: the path of a regular file; symbolic links are followed.
    ///   - contentType: the MIME type of the contents; nil by default. It is not derived from the
    ///     name.
    /// - Returns: the reference to save in a document.
    /// - Throws: the same errors as for bytes; also ``StoreError/Code/invalidParameter`` if `path`
    ///   is not a file, or is the database itself, which only SQLite may open.
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
    /// Use it for bytes that are produced or received over time:
    ///
    /// ```swift
    /// func receive(_ parts: AsyncStream<[UInt8]>) async throws -> Blob {
    ///     let writer = try file.blobs.writer()
    ///     for await part in parts { try writer.write(part) }
    ///     return try writer.finish(contentType: "video/mp4")
    /// }
    /// ```
    ///
    /// The blob exists only after ``BlobWriter/finish(contentType:)``. Throws the same errors as
    /// for bytes.
    public func writer() throws -> BlobWriter {
        try require(true)
        return BlobWriter(try storage.draft())
    }
}

// Reading.
extension BlobStore {
    /// Opens a blob for reading sequentially or at any offset.
    ///
    /// ```swift
    /// let reader = try file.blobs.open(photo)
    /// let start = try reader.readChunk(maximum: 16)
    /// ```
    ///
    /// The reader stays valid if the blob is removed meanwhile. Opening checks the length, but not
    /// the digest; see ``verify(_:)``.
    ///
    /// - Parameter blob: the reference, as read from a document.
    /// - Throws: ``StoreError/Code/notFound`` if it does not exist; ``StoreError/Code/corruptData``
    ///   if its length is not that of the reference; ``StoreError/Code/unsupported`` if it is a
    ///   link or device; or the system's error in the domain ``StoreError/Domain/posix``.
    public func open(_ blob: Blob) throws -> BlobReader { BlobReader(try source(blob)) }

    /// Reads all bytes of a blob into memory.
    ///
    /// ```swift
    /// if let photo = document["photo"]?.blob {
    ///     let data = try Data(file.blobs.bytes(of: photo))
    ///     show(data)
    /// }
    /// ```
    ///
    /// For large blobs use ``open(_:)`` or ``chunks(of:bytes:)``. Does not compare the digest; see
    /// ``verify(_:)``. Throws the same errors as ``open(_:)``.
    public func bytes(of blob: Blob) throws -> [UInt8] {
        try open(blob).readChunk(maximum: .max)
    }

    /// The bytes of a blob in chunks, read on a separate thread. Nothing is opened before
    /// iterating, which throws as ``open(_:)`` does.
    ///
    /// ```swift
    /// for try await chunk in file.blobs.chunks(of: photo, bytes: 1 << 20) {
    ///     show(chunk.count)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - blob: the reference, as read from a document.
    ///   - bytes: the maximum size of a chunk in bytes; 65,536 by default. The last one may be
    ///     shorter.
    public func chunks(of blob: Blob, bytes: Int = 1 << 16) -> BlobChunks {
        BlobChunks(store: self, blob: blob, bytes: max(bytes, 1))
    }

    /// Whether a blob exists; its contents are not checked. Asks the file system, and reads
    /// nothing.
    public func contains(_ blob: Blob) throws -> Bool { try size(of: blob) != nil }

    /// The number of stored bytes of a blob; nil if it does not exist.
    ///
    /// It need not be the length in the reference, as for a damaged blob. In an encrypted database
    /// it is the length without the encryption.
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
