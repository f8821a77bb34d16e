package import DocumentStore
package import StoreTools

/// The result of one transaction of `DocumentBatches`.
package protocol DocumentBatch: Sendable {
    /// The number of documents processed.
    var lookedAt: Int { get }
    /// The key to continue after; nil at the end of the collection.
    var lastKey: String? { get }
}

extension RevisionPruning: DocumentBatch {}
extension RevisionUpgrade: DocumentBatch {}

/// Processes all documents of some collections, including tombstones, a transaction for each batch:
/// other connections can write in between, and committed batches are retained if it is interrupted.
package struct DocumentBatches {
    package let collections: [DocumentCollection]

    package init(collections: [DocumentCollection]) {
        self.collections = collections
    }

    /// The maximum number of documents per transaction.
    package static let limit = 1000

    /// Processes the documents.
    ///
    /// - Parameters:
    ///   - step: processes a batch: the documents of a collection after the one with this key.
    ///   - add: receives the result of a transaction and the position of the collection.
    ///   - done: describes the progress in a message, for an interrupted command.
    package func run<Batch: DocumentBatch>(
        _ file: DataFile,
        step:
            @escaping @Sendable (DocumentCollection, _ after: String?, Transaction) throws -> Batch,
        add: (_ position: Int, Batch) -> Void, done: () -> String
    ) async throws {
        var progress = Progress("document", total: try await total(file))
        defer { progress.finish() }
        var looked = 0
        for (position, collection) in collections.enumerated() {
            var key: String?
            repeat {
                let from = key
                let batch: Batch
                do {
                    batch = try await file.writing { try step(collection, from, $0) }
                } catch is CancellationError {
                    throw Interrupted(
                        message: "\(done()) so far; run the same command to continue")
                }
                add(position, batch)
                looked += batch.lookedAt
                progress.update(looked)
                key = batch.lastKey
            } while key != nil
        }
    }

    private func total(_ file: DataFile) async throws -> Int {
        let collections = collections
        return try await file.reading { snapshot in
            try collections.reduce(0) { sum, collection in
                let (live, deleted) = try collection.count(in: snapshot)
                return sum + live + deleted
            }
        }
    }
}
