internal import FleeceLite
internal import StoreFormat

/// The blobs of a data file: bytes that documents refer to, each in a file of its own.
///
/// ```swift
/// let photo = try file.blobs.put(bytes, contentType: "image/jpeg")
/// let bytes = try file.blobs.bytes(of: photo)
/// ```
/// A blob stays as long as a saved document refers to it. One that was put and is in no document
/// yet stays for `DataFileOptions.blobGraceSeconds`; `DataFile.compact` removes the others. It can
/// be used from all threads; its calls block the one that makes them, but for `chunks(of:bytes:)`.
public struct BlobStore: Sendable {
    package let place: any BlobStorage
    /// Throws unless the file is open, and can be written if that is asked for.
    package let require: @Sendable (_ writing: Bool) throws -> Void
    /// Files that nobody but SQLite may open: closing them would drop its locks.
    let forbidden: [String]

    init(
        _ place: any BlobStorage, forbidden: [String],
        require: @escaping @Sendable (_ writing: Bool) throws -> Void
    ) {
        self.place = place
        self.forbidden = forbidden
        self.require = require
    }
}

// Putting. What a put returns is on the disk, under its name.
extension BlobStore {
    /// Stores bytes, unless they are there already.
    ///
    /// - Parameters:
    ///   - bytes: the blob; it may be empty.
    ///   - contentType: what it is, as a MIME type.
    /// - Returns: the reference, to be saved in a document.
    ///
    /// Throws `.notOpen`, `.notWriteable` for a handle that only reads, `.unsupported` if the
    /// directory of blobs is a link, or the system's error in the domain `.posix`; nothing is left
    /// behind then.
    public func put(
        _ bytes: some Collection<UInt8>, contentType: String? = nil
    ) throws -> Blob {
        try bytes.withBytes { try put($0, contentType: contentType) }
    }

    /// Stores borrowed bytes. Errors as for other bytes.
    public func put(_ bytes: UnsafeRawBufferPointer, contentType: String? = nil) throws -> Blob {
        try require(true)
        let digest = try BlobDigest(of: bytes)
        let blob = Blob(digest: digest, length: bytes.count, contentType: contentType)
        if try place.reuse(digest, length: bytes.count) { return blob }
        let draft = try place.draft()
        defer { draft.discard() }
        try draft.write(bytes)
        try draft.install(digest, length: bytes.count)
        return blob
    }

    /// Stores the contents of a file, some at a time.
    ///
    /// Throws as the others; `.invalidParameter` for what is not a file, and for the database itself,
    /// which nobody but SQLite may open.
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

    /// A blob to be written part by part. Errors as for bytes.
    public func writer() throws -> BlobWriter {
        try require(true)
        return BlobWriter(try place.draft())
    }
}

// Reading.
extension BlobStore {
    /// Opens a blob to be read.
    ///
    /// Throws `.notFound` if it is not there, `.corruptData` if it does not have the length that
    /// the reference says, `.unsupported` for a link or device in its place, or the system's error
    /// in the domain `.posix`.
    public func open(_ blob: Blob) throws -> BlobReader { BlobReader(try source(blob)) }

    /// All bytes of a blob. Errors as for `open(_:)`.
    public func bytes(of blob: Blob) throws -> [UInt8] {
        try open(blob).readChunk(maximum: .max)
    }

    /// The bytes of a blob, some at a time, read on another thread.
    ///
    /// Iterating throws as `open(_:)` does.
    ///
    /// - Parameter bytes: the most bytes that come at once.
    public func chunks(of blob: Blob, bytes: Int = 1 << 16) -> BlobChunks {
        BlobChunks(store: self, blob: blob, bytes: max(bytes, 1))
    }

    /// Whether a blob is there, with whatever contents.
    public func contains(_ blob: Blob) throws -> Bool { try size(of: blob) != nil }

    /// How many bytes of a blob are there; nil if it is not.
    public func size(of blob: Blob) throws -> Int? {
        try require(false)
        return try place.size(blob.digest)
    }

    func source(_ blob: Blob) throws -> any BlobSource {
        try require(false)
        guard let source = try place.source(blob.digest) else {
            throw StoreError(
                .notFound,
                "\(place.shown(blob.digest)), the blob \(blob.digest), is not there; restore the "
                    + "file from a backup, or put the same bytes again")
        }
        guard source.length == blob.length ?? source.length else {
            throw StoreError(
                .corruptData,
                "\(place.shown(blob.digest)) has \(source.length) bytes, but the reference to the "
                    + "blob \(blob.digest) says \(blob.length ?? 0); put the same bytes again, or "
                    + "read what there is by a reference without a length")
        }
        return source
    }
}
