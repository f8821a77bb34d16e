internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Transfers the blobs that documents refer to, each once, in parts.
struct BlobTransfer: Sendable {
    let file: DataFile
    let remote: any RemoteCollection

    /// What became of the blobs of documents.
    struct Result: Sendable {
        /// The documents that are not transferred because of a blob, and why.
        var failed: [(id: String, reason: String)] = []
        /// The documents whose blobs the other side does not have all: those that failed, and those
        /// that are transferred without a blob because this side lacks it, too.
        var incomplete: [String] = []

        /// Those of the documents that did not fail.
        func remaining<T>(_ documents: [T], _ id: (T) -> String) -> [T] {
            guard !failed.isEmpty else { return documents }
            let failed = Set(failed.map { ExactString($0.id) })
            return documents.filter { !failed.contains(ExactString(id($0))) }
        }
    }

    /// Sends those of the blobs of documents that the remote lacks. The documents follow later, so
    /// that a document at the remote has its blobs.
    func send(_ documents: [(id: String, blobs: [Blob])]) async throws -> Result {
        var result = Result()
        let documents = documents.filter { !$0.blobs.isEmpty }
        guard !documents.isEmpty else { return result }
        let digests = Set(documents.flatMap { $0.blobs.map(\.digest.description) })
        var missing = Set(try await remote.missingBlobs(of: digests.sorted()))
        for (id, blobs) in documents {
            do {
                for blob in blobs where missing.contains(blob.digest.description) {
                    guard try await send(blob) else { continue }
                    missing.remove(blob.digest.description)
                }
            } catch let error as ReplicationError where error.code == .badRemoteData {
                result.failed.append((id, error.message))
            } catch let error as StoreError where error.has(.corruptData) {
                result.failed.append((id, error.message))
            }
            if blobs.contains(where: { missing.contains($0.digest.description) }) {
                result.incomplete.append(id)
            }
        }
        return result
    }

    /// Sends a blob; false if the file lacks it, as when its document was pulled without it.
    private func send(_ blob: Blob) async throws -> Bool {
        guard try file.blobs.contains(blob) else { return false }
        // The remote does not check it, and would not take it again from a file that has it.
        try file.blobs.verify(blob)
        let parts = BlobParts(try file.blobs.open(blob))
        try await remote.putBlob(blob.digest.description) { try await parts.next() }
        return true
    }

    /// Gets those blobs of documents that the file lacks. Documents with a blob that is not what
    /// its digest says fail.
    func fetch(for documents: [RemoteDocument]) async throws -> Result {
        var result = Result()
        for document in documents {
            let blobs = document.blobs
            guard !blobs.isEmpty else { continue }
            do {
                var isComplete = true
                for blob in blobs { isComplete = try await fetch(blob) && isComplete }
                if !isComplete { result.incomplete.append(document.id) }
            } catch let error as ReplicationError where error.code == .badRemoteData {
                result.failed.append((document.id, error.message))
                result.incomplete.append(document.id)
            }
        }
        return result
    }

    /// Gets a blob; false if the remote does not have it.
    private func fetch(_ blob: Blob) async throws -> Bool {
        guard try !file.blobs.contains(blob) else { return true }
        let writer = BlobSink(try file.blobs.writer())
        let exists = try await remote.blob(blob.digest.description) {
            try await writer.write($0)
        }
        try await writer.finish(blob, exists: exists)
        return exists
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
