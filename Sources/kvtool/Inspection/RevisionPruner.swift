internal import DataFileCore

/// Cuts the revision trees of documents, or says what that would remove.
struct RevisionPruner: Sendable {
    /// How many revisions.
    struct Count: Sendable {
        var documents = 0
        var revisions = 0
        /// Documents that are damaged, and stay as they are.
        var damaged = 0
    }

    let collections: [Collection]
    /// How many revisions each branch keeps.
    let depth: Int

    private static let batch = 1000

    /// What would be removed.
    func count(_ snapshot: Snapshot) throws -> Count {
        var count = Count()
        var options = RecordEnumerator.Options()
        options.content = .metadata
        options.includesDeleted = true
        for collection in collections {
            let records = try collection.records(options, in: snapshot)
            while let record = try records.next() {
                let removed: Int
                do {
                    var tree = try collection.history(of: record.key, in: snapshot)?.tree
                    removed = tree?.prune(toDepth: depth) ?? 0
                } catch let error as StoreError where error.isOfOneDocument {
                    count.damaged += 1
                    continue
                }
                count.documents += removed > 0 ? 1 : 0
                count.revisions += removed
            }
        }
        return count
    }

    /// Removes them, a transaction for each batch; what is removed stays so if it is stopped.
    func run(_ file: DataFile) async throws -> Count {
        let collections = collections
        let total = try await file.read { snapshot in
            try collections.reduce(0) { sum, collection in
                let (live, deleted) = try collection.count(in: snapshot)
                return sum + live + deleted
            }
        }
        var progress = Progress("document", total: total)
        defer { progress.finish() }
        var (count, looked) = (Count(), 0)
        for collection in collections {
            var key: String?
            repeat {
                let from = key
                let step: RevisionPruning
                do {
                    step = try await file.write { transaction in
                        try collection.pruneRevisions(
                            in: transaction, depth: depth, after: from, limit: Self.batch)
                    }
                } catch is CancellationError {
                    throw Interrupted(
                        message: "\(Text.count(count.revisions, "revision")) removed, which stay "
                            + "so; the same command goes on")
                }
                count.documents += step.pruned
                count.revisions += step.removed
                count.damaged += step.damaged
                looked += step.lookedAt
                progress.update(looked)
                key = step.lastKey
            } while key != nil
        }
        return count
    }
}
