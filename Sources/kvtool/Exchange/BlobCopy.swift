internal import DocumentStore

/// Copies the blobs that documents refer to from one database to another one, each once.
final class BlobCopy {
    private let source: BlobStore
    private let target: BlobStore
    private var seen: Set<BlobDigest> = []
    /// How many are missing or damaged, and were left out.
    private(set) var leftOut = 0

    init(from source: DataFile, to target: DataFile) {
        self.source = source.blobs
        self.target = target.blobs
    }

    /// Copies those of a document.
    func copy(of json: borrowing JSONText) throws {
        // Hardly any document has one: only those with a digest are read.
        let prefix = Array("sha1-".utf8)
        let isPossible = json.utf8.withUnsafeBytes { $0.offset(of: prefix) != nil }
        guard isPossible else { return }
        let document = try FleeceDocument(json: json.string)
        guard let properties = document.root.dictionary else { return }
        for blob in Blob.references(in: properties) where seen.insert(blob.digest).inserted {
            // What the reference says of the length is not needed to find the bytes.
            try copy(Blob(digest: blob.digest))
        }
    }

    private func copy(_ blob: Blob) throws {
        guard try !target.contains(blob) else { return }
        let reader: BlobReader
        do {
            reader = try source.open(blob)
        } catch let error as StoreError where error.has(.notFound) || error.has(.corruptData) {
            leftOut += 1
            return
        }
        let writer = try target.writer()
        defer { writer.cancel() }
        while true {
            try Interruption.check()
            let part = try reader.readChunk()
            guard !part.isEmpty else { break }
            try writer.write(part)
        }
        // What is damaged does not become a blob there.
        if try !writer.finish(as: blob.digest) { leftOut += 1 }
    }
}
