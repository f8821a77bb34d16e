package import DataFileCore
internal import StoreFormat

/// What cutting the revision trees of a part of a collection's documents did.
package struct RevisionPruning: Hashable, Sendable {
    /// How many documents were looked at.
    package internal(set) var lookedAt = 0
    /// How many of them have lost revisions.
    package internal(set) var pruned = 0
    /// How many revisions that were.
    package internal(set) var removed = 0
    /// How many documents are damaged and stay as they are.
    package internal(set) var damaged = 0
    /// Where to go on; nil when all have been looked at.
    package internal(set) var lastKey: String?
}

extension DocumentCollection {
    /// Removes old revisions from the trees of documents, deleted ones too, some documents at a
    /// time: those that are farther than `depth` from every leaf, the leaf itself being 1 deep.
    ///
    /// The latest revision that a remote has, refused ones and unresolved conflicts stay, and so
    /// do documents with a version vector. There is no new revision and no new sequence: body,
    /// flags and expiration stay. The subsequence of a document that has lost revisions grows by
    /// one.
    ///
    /// - Parameters:
    ///   - key: where an earlier call ended: its `lastKey`; nil to begin.
    ///   - limit: how many documents are looked at.
    ///
    /// Throws `.notFound` if there is no such collection, `.invalidParameter` for a depth below 1.
    package func pruneRevisions(
        in transaction: Transaction, depth: Int, after key: String? = nil, limit: Int = 1000
    ) throws -> RevisionPruning {
        guard depth >= 1 else {
            throw StoreError(.invalidParameter, "a tree keeps at least 1 revision of each branch")
        }
        try requireExistence(in: transaction)
        // The rows are not changed while they are walked through.
        let rows = try rowsWithTrees(after: key, limit: limit, in: transaction)
        var pruning = RevisionPruning()
        (pruning.lookedAt, pruning.lastKey) = (rows.lookedAt, rows.lastKey)
        for key in rows.keys {
            let removed: Int
            do {
                removed = try pruneRevisions(of: key, depth: depth, in: transaction)
            } catch let error as StoreError where error.isOfDocument {
                pruning.damaged += 1
                continue
            }
            pruning.pruned += removed > 0 ? 1 : 0
            pruning.removed += removed
        }
        return pruning
    }

    /// Returns how many revisions of a document were removed.
    private func pruneRevisions(
        of key: String, depth: Int, in transaction: Transaction
    ) throws -> Int {
        guard let record = try keyStore.get(key, in: transaction) else { return 0 }
        var history = try DocumentHistory(record, sharedKeys: transaction.sharedKeys)
        guard case .tree(var tree) = history.form else { return 0 }
        let removed = tree.prune(toDepth: depth)
        guard removed > 0 else { return 0 }
        history.form = .tree(tree)
        try write(history, over: record, keepsSequence: true, in: transaction)
        return removed
    }
}
