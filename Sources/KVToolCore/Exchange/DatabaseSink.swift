package import DocumentStore
internal import Synchronization

/// How many documents are in another database for good, however the copy of more of them ends.
package final class CommittedDocuments: Sendable {
    private let number = Atomic(0)
    private let overwritten = Atomic(0)

    package init() {}

    package var count: Int { number.load(ordering: .relaxed) }
    /// Those of them that were there before.
    package var overwrittenCount: Int { overwritten.load(ordering: .relaxed) }

    func add(_ count: Int, overwritten old: Int) {
        number.add(count, ordering: .relaxed)
        overwritten.add(old, ordering: .relaxed)
    }
}

/// Writes documents into another database, a transaction for each batch, after their blobs.
package struct DatabaseSink: DocumentSink {
    private let database: DataFile
    private let options: ImportOptions
    private var waiting: [[UInt8]] = []
    private var bytes = 0
    private let blobs: BlobCopy
    private let committed: CommittedDocuments

    /// A batch ends early where its documents are large.
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
        } catch let mistake as ImportError {
            throw ToolError(mistake.message, status: mistake.status)
        }
        committed.add(waiting.count, overwritten: overwritten)
        waiting.removeAll(keepingCapacity: true)
        bytes = 0
    }
}

/// Copies the blobs that documents refer to from one database to another one, each once.
package final class BlobCopy {
    private let source: BlobStore
    private let target: BlobStore
    private var seen: Set<BlobDigest> = []
    /// How many are missing or damaged, and were left out.
    package private(set) var leftOut = 0

    package init(from source: DataFile, to target: DataFile) {
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
