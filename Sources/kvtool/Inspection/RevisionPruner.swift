internal import DocumentStore
internal import StoreTools

/// Cuts the revision trees of documents, or says what that would remove.
struct RevisionPruner: Sendable {
    /// How many revisions.
    struct Count: Sendable {
        var documents = 0
        var revisions = 0
        /// Documents that are damaged, and stay as they are.
        var damaged = 0
    }

    let collections: [DocumentCollection]
    /// How many revisions each branch keeps.
    let depth: Int

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
        let depth = depth
        var count = Count()
        try await DocumentBatches(collections: collections).run(file) {
            collection, key, transaction in
            try collection.pruneRevisions(
                in: transaction, depth: depth, after: key, limit: DocumentBatches.limit)
        } add: { _, batch in
            count.documents += batch.pruned
            count.revisions += batch.removed
            count.damaged += batch.damaged
        } done: {
            "\(Text.count(count.revisions, "revision")) removed"
        }
        return count
    }
}
