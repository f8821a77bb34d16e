package import DataFileCore
internal import StoreFormat

/// The result of pruning the revision trees of some of a collection's documents.
package struct RevisionPruning: Hashable, Sendable {
    /// The number of examined documents.
    package internal(set) var lookedAt = 0
    /// The number of documents from which revisions were removed.
    package internal(set) var pruned = 0
    /// The number of removed revisions.
    package internal(set) var removed = 0
    /// The number of damaged documents, which were not changed.
    package internal(set) var damaged = 0
    /// The key at which to continue; nil if all documents have been examined.
    package internal(set) var lastKey: String?
}

extension DocumentCollection {
    /// Removes old revisions from the revision trees of documents, including deleted ones, some
    /// documents at a time: the revisions whose distance from every leaf is at least `depth`, so
    /// that `depth` revisions of each branch remain.
    ///
    /// The latest revision of a remote, rejected revisions and unresolved conflicts are never
    /// removed. Documents with a version vector are not changed. This creates no new revision and
    /// no new sequence, and does not change body, flags or expiration. The subsequence of a
    /// document is incremented if it has lost revisions.
    ///
    /// - Parameters:
    ///   - key: the `lastKey` of the previous call; nil to start.
    ///   - limit: the number of documents to examine.
    ///
    /// Throws `.notFound` if the collection does not exist, `.invalidParameter` for a depth below
    /// 1.
    package func pruneRevisions(
        in transaction: Transaction, depth: Int, after key: String? = nil, limit: Int = 1000
    ) throws -> RevisionPruning {
        guard depth >= 1 else {
            throw StoreError(
                .invalidParameter, "a tree must keep at least 1 revision of each branch")
        }
        try requireExistence(in: transaction)
        // Rows are not changed while the enumeration reads them.
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

    /// Removes revisions of a document and returns their number.
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
