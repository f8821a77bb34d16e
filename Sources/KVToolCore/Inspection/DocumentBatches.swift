package import DocumentStore
package import StoreTools

/// What one transaction of `DocumentBatches` has done.
package protocol DocumentBatch: Sendable {
    /// How many documents it has looked at.
    var lookedAt: Int { get }
    /// Where to go on; nil when all of the collection have been looked at.
    var lastKey: String? { get }
}

extension RevisionPruning: DocumentBatch {}
extension RevisionUpgrade: DocumentBatch {}

/// Work on all documents of some collections, tombstones too, a transaction for some of them at a
/// time: others can write in between, and where it is stopped, what is done stays done.
package struct DocumentBatches {
    package let collections: [DocumentCollection]

    package init(collections: [DocumentCollection]) {
        self.collections = collections
    }

    /// The most documents that a transaction changes.
    package static let limit = 1000

    /// Does the work.
    ///
    /// - Parameters:
    ///   - step: does a part of it: the documents of a collection behind one with this key.
    ///   - add: gets what a transaction has done, and the collection's place among all.
    ///   - done: what is done so far, in words, for whoever stops it.
    package func run<Batch: DocumentBatch>(
        _ file: DataFile,
        step:
            @escaping @Sendable (DocumentCollection, _ after: String?, Transaction) throws -> Batch,
        add: (_ place: Int, Batch) -> Void, done: () -> String
    ) async throws {
        var progress = Progress("document", total: try await total(file))
        defer { progress.finish() }
        var looked = 0
        for (place, collection) in collections.enumerated() {
            var key: String?
            repeat {
                let from = key
                let batch: Batch
                do {
                    batch = try await file.writing { try step(collection, from, $0) }
                } catch is CancellationError {
                    throw Interrupted(
                        message: "\(done()), which stay so; the same command goes on")
                }
                add(place, batch)
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
