internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Transfers the blobs that documents refer to, each once, in parts.
struct BlobTransfer: Sendable {
    let file: DataFile
    let remote: any RemoteCollection

    /// Sends those of the blobs of documents that the remote lacks. The documents follow later, so
    /// that a document at the remote has its blobs.
    func send(_ documents: [(id: String, blobs: [Blob])]) async throws -> BlobResult {
        var result = BlobResult()
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
    func fetch(for documents: [RemoteDocument]) async throws -> BlobResult {
        let remote = remote
        return try await BlobFetcher(file: file) { blob, id, use in
            try await remote.blob(blob, of: id, use)
        }.fetch(for: documents)
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
