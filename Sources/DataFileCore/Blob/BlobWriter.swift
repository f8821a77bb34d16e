internal import StoreFormat

/// Writes a blob part by part.
///
/// ```swift
/// let writer = try file.blobs.writer()
/// while let part = try source.next() { try writer.write(part) }
/// let blob = try writer.finish(contentType: "video/mp4")
/// ```
/// Nobody sees it before `finish(contentType:)`; without that nothing of it stays. Used by one
/// thread at a time.
public final class BlobWriter {
    private var draft: (any BlobDraft)?
    private var hash = SHA1()
    /// Small parts are written together.
    private var buffer: [UInt8] = []
    /// How many bytes were written so far.
    public private(set) var length = 0

    private static let bufferBytes = 1 << 16

    init(_ draft: any BlobDraft) {
        self.draft = draft
    }

    deinit { cancel() }

    /// Adds bytes.
    ///
    /// Throws the system's error in the domain `.posix`, after which the writer is of no use; or
    /// `.notOpen` if it is finished or cancelled.
    public func write(_ bytes: some Collection<UInt8>) throws {
        try bytes.withBytes { try write($0) }
    }

    /// Adds borrowed bytes. Errors as for other bytes.
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

    /// Ends the blob and makes it one that can be found, on the disk when this returns.
    ///
    /// - Parameter contentType: what it is, as a MIME type.
    /// - Returns: the reference, to be saved in a document.
    ///
    /// Throws as `write(_:)`; nothing is left behind then.
    public func finish(contentType: String? = nil) throws -> Blob {
        let digest = try end { _ in true }
        return Blob(digest: digest, length: length, contentType: contentType)
    }

    /// Ends the blob as `finish(contentType:)` does if its bytes have this digest; nothing of it
    /// stays if they have another one.
    ///
    /// - Returns: whether they have it.
    package func finish(as digest: BlobDigest) throws -> Bool {
        try end { $0 == digest } == digest
    }

    /// Ends it, as a blob if its digest is one that is wanted; returns the digest.
    private func end(_ isWanted: (BlobDigest) -> Bool) throws -> BlobDigest {
        let draft = try requireDraft()
        defer { cancel() }
        try flush(draft)
        let digest = try BlobDigest(hash)
        if isWanted(digest) { try draft.install(digest, length: length) }
        return digest
    }

    /// Removes what was written; what was finished stays.
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
            // A part of it may be written.
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
