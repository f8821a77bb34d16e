package import DocumentStore
internal import Synchronization

/// The number of documents committed to the target database, even if the copy fails later.
package final class CommittedDocuments: Sendable {
    private let number = Atomic(0)
    private let overwritten = Atomic(0)

    package init() {}

    package var count: Int { number.load(ordering: .relaxed) }
    /// The number of those that replaced existing documents.
    package var overwrittenCount: Int { overwritten.load(ordering: .relaxed) }

    func add(_ count: Int, overwritten old: Int) {
        number.add(count, ordering: .relaxed)
        overwritten.add(old, ordering: .relaxed)
    }
}

/// Writes documents into another database: a transaction for each batch, after its blobs.
package struct DatabaseSink: DocumentSink {
    private let database: DataFile
    private let options: ImportOptions
    private var waiting: [[UInt8]] = []
    private var bytes = 0
    private let blobs: BlobCopy
    private let committed: CommittedDocuments

    /// A batch ends early if its documents reach this size.
    private static let maximumBytes = 32 << 20

    package init(
        _ database: DataFile, _ options: ImportOptions, _ blobs: BlobCopy,
        _ committed: CommittedDocuments
    ) {
        self.database = database
        self.options = options
        self.blobs = blobs
        self.committed = committed
    }

    package mutating func write(_ json: borrowing JSONText, id: String) throws {
        try blobs.copy(of: json)
        waiting.append(json.utf8)
        bytes += json.utf8.count
        if waiting.count >= options.batch || bytes >= Self.maximumBytes { try finish() }
    }

    package mutating func finish() throws {
        guard !waiting.isEmpty else { return }
        let overwritten: Int
        do {
            overwritten = try database.write { transaction in
                let document = ImportedDocument(options: options, transaction: transaction)
                return try waiting.count { json in
                    try json.withUnsafeBytes {
                        try document.write(SourceDocument(json: $0, line: 1)) == .overwritten
                    }
                }
            }
        } catch let failure as ImportError {
            throw ToolError(failure.message, status: failure.status)
        }
        committed.add(waiting.count, overwritten: overwritten)
        waiting.removeAll(keepingCapacity: true)
        bytes = 0
    }
}

/// Copies the blobs that documents refer to from one database to another, each blob once.
package final class BlobCopy {
    private let source: BlobStore
    private let target: BlobStore
    private var seen: Set<BlobDigest> = []
    /// The number of blobs that are missing or damaged and were not copied.
    package private(set) var leftOut = 0

    package init(from source: DataFile, to target: DataFile) {
        self.source = source.blobs
        self.target = target.blobs
    }

    /// Copies the blobs of a document.
    func copy(of json: borrowing JSONText) throws {
        // Few documents have blobs, so only those that contain a digest are parsed.
        let prefix = Array("sha1-".utf8)
        let isPossible = json.utf8.withUnsafeBytes { $0.offset(of: prefix) != nil }
        guard isPossible else { return }
        let document = try FleeceDocument(json: json.string)
        guard let properties = document.root.dictionary else { return }
        for blob in Blob.references(in: properties) where seen.insert(blob.digest).inserted {
            // The length in the reference is not needed to find the blob.
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
        // A damaged blob is not stored in the target.
        if try !writer.finish(as: blob.digest) { leftOut += 1 }
    }
}
