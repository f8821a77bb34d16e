internal import DataFileCore
internal import FleeceLite

/// Transfers the blobs that documents refer to, each once, in parts.
struct BlobTransfer: Sendable {
    let file: DataFile
    let remote: any RemoteCollection

    /// Sends those of the blobs that the remote lacks. Documents follow later, so that a document
    /// at the remote has its blobs.
    func send(_ blobs: [Blob]) async throws {
        let blobs = Dictionary(blobs.map { ($0.digest.description, $0) }) { first, _ in first }
        guard !blobs.isEmpty else { return }
        for digest in try await remote.missingBlobs(of: blobs.keys.sorted()) {
            // The file may lack it, too, if its document was pulled without it.
            guard let blob = blobs[digest], try file.blobs.contains(blob) else { continue }
            let parts = BlobParts(try file.blobs.open(blob))
            try await remote.putBlob(digest) { try await parts.next() }
        }
    }

    /// Gets those blobs of documents that the file lacks.
    ///
    /// - Returns: the documents; and apart from them those with a blob that is not what its digest
    ///   says, and why.
    func fetch(
        for documents: [RemoteDocument]
    ) async throws -> (complete: [RemoteDocument], damaged: [(id: String, reason: String)]) {
        var damaged: [(id: String, reason: String)] = []
        var complete = documents
        for document in documents {
            let blobs = document.blobs
            guard !blobs.isEmpty else { continue }
            do {
                try await fetch(blobs)
            } catch let error as ReplicationError where error.code == .badRemoteData {
                damaged.append((document.id, error.message))
                complete.removeAll { $0.id == document.id }
            }
        }
        return (complete, damaged)
    }

    private func fetch(_ blobs: [Blob]) async throws {
        for blob in blobs where try !file.blobs.contains(blob) {
            let writer = BlobSink(try file.blobs.writer())
            let exists = try await remote.blob(blob.digest.description) {
                try await writer.write($0)
            }
            try await writer.finish(blob, exists: exists)
        }
    }
}

/// A blob that is read part by part.
private actor BlobParts {
    private let reader: BlobReader

    init(_ reader: sending BlobReader) {
        self.reader = reader
    }

    func next() throws -> [UInt8]? {
        let part = try reader.readChunk(maximum: 1 << 20)
        return part.isEmpty ? nil : part
    }
}

/// A blob that is written part by part.
private actor BlobSink {
    private let writer: BlobWriter

    init(_ writer: sending BlobWriter) {
        self.writer = writer
    }

    func write(_ part: [UInt8]) throws { try writer.write(part) }

    /// Installs the blob if its bytes have its digest.
    func finish(_ blob: Blob, exists: Bool) throws {
        guard exists else { return writer.cancel() }
        let written = try writer.finish()
        guard written.digest == blob.digest else {
            throw ReplicationError(
                .badRemoteData,
                "the bytes of the blob \(blob.digest) at the remote have the digest "
                    + "\(written.digest)")
        }
    }
}

extension RemoteDocument {
    /// The blobs that the document refers to; none if its body is not valid.
    fileprivate var blobs: [Blob] {
        guard mayHaveBlobs, let document = try? decoded() else { return [] }
        return document.root.dictionary.map { Blob.references(in: $0) } ?? []
    }

    /// Most documents have none and are not decoded.
    private var mayHaveBlobs: Bool {
        fleece != nil
            || body.withUnsafeBytes { $0.hasMark("\"blob\"") || $0.hasMark("\"_attachments\"") }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether a string of ASCII characters that begins with a quotation mark is in the bytes.
    fileprivate func hasMark(_ mark: StaticString) -> Bool {
        let length = mark.utf8CodeUnitCount
        guard count >= length else { return false }
        for start in 0...(count - length) where self[start] == UInt8(ascii: "\"") {
            var index = 1
            while index < length, self[start + index] == mark.utf8Start[index] { index += 1 }
            if index == length { return true }
        }
        return false
    }
}
