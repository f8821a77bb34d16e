internal import StoreFormat

/// Writes a blob in parts.
///
/// ```swift
/// let writer = try file.blobs.writer()
/// var offset = 0
/// while offset < bytes.count {
///     try writer.write(bytes[offset..<min(offset + 4096, bytes.count)])
///     offset += 4096
/// }
/// let blob = try writer.finish(contentType: "video/mp4")
/// ```
///
/// The blob does not exist before ``finish(contentType:)``; without that call everything written is
/// removed, at the latest when the writer is deinitialized, or after a crash by a later
/// `DataFile.compact`. It needs little memory, however long the blob is.
///
/// Use it on one thread at a time. For bytes in memory or in a file, ``BlobStore`` has shorter
/// calls.
public final class BlobWriter {
    private var draft: (any BlobDraft)?
    private var hash = SHA1()
    /// Collects small parts to write them together.
    private var buffer: [UInt8] = []
    /// The number of bytes written so far.
    public private(set) var length = 0

    private static let bufferBytes = 1 << 16

    init(_ draft: any BlobDraft) {
        self.draft = draft
    }

    deinit { cancel() }

    /// Appends bytes. Small parts are collected and written together, so a part may be a single
    /// byte.
    ///
    /// - Parameter bytes: the bytes; they may be empty.
    /// - Throws: ``StoreError/Code/notOpen`` if the writer is finished or cancelled; the system's
    ///   error in the domain ``StoreError/Domain/posix``, after which the writer cannot be used.
    public func write(_ bytes: some Collection<UInt8>) throws {
        try bytes.withBytes { try write($0) }
    }

    /// Appends borrowed bytes, without copying large parts. Throws as for other bytes.
    ///
    /// ```swift
    /// let writer = try file.blobs.writer()
    /// try bytes.withUnsafeBytes { try writer.write($0) }
    /// let blob = try writer.finish()
    /// ```
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        let draft = try requireDraft()
        let (sum, isTooLong) = length.addingReportingOverflow(bytes.count)
        guard !isTooLong else { throw StoreError(.invalidParameter, "the blob is too long") }
        length = sum
        if buffer.count + bytes.count >= Self.bufferBytes {
            try flush(draft)
            if bytes.count >= Self.bufferBytes { return try add(bytes, draft) }
        }
        buffer += bytes
    }

    /// Completes the blob and makes it available; it is on disk when the call returns.
    ///
    /// The digest was computed while writing, so this does not read the bytes again. Equal bytes
    /// are stored once.
    ///
    /// - Parameter contentType: the MIME type of the bytes; nil by default.
    /// - Returns: the reference to save in a document.
    /// - Throws: as writing; nothing is stored then.
    public func finish(contentType: String? = nil) throws -> Blob {
        let digest = try end { _ in true }
        return Blob(digest: digest, length: length, contentType: contentType)
    }

    /// Completes the blob as `finish(contentType:)` does if its bytes have this digest; otherwise
    /// removes them.
    ///
    /// - Returns: whether they have the digest.
    package func finish(as digest: BlobDigest) throws -> Bool {
        try end { $0 == digest } == digest
    }

    /// Completes the blob if its digest meets the condition; returns the digest.
    private func end(_ isExpected: (BlobDigest) -> Bool) throws -> BlobDigest {
        let draft = try requireDraft()
        defer { cancel() }
        try flush(draft)
        let digest = try BlobDigest(hash)
        if isExpected(digest) { try draft.install(digest, length: length) }
        return digest
    }

    /// Removes the written bytes; a finished blob is not affected.
    ///
    /// ```swift
    /// let writer = try file.blobs.writer()
    /// defer { writer.cancel() }
    /// try writer.write(bytes)
    /// let blob = try writer.finish()
    /// ```
    public func cancel() {
        draft?.discard()
        draft = nil
        buffer = []
    }

    private func flush(_ draft: any BlobDraft) throws {
        guard !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes { try add($0, draft) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func add(_ bytes: UnsafeRawBufferPointer, _ draft: any BlobDraft) throws {
        do {
            hash.add(bytes)
            try draft.write(bytes)
        } catch {
            // A part of the bytes may have been written.
            cancel()
            throw error
        }
    }

    private func requireDraft() throws -> any BlobDraft {
        guard let draft else {
            throw StoreError(
                .notOpen, "the blob was finished, cancelled, or could not be written; restart")
        }
        return draft
    }
}
