package import DataFileCore
package import StoreFormat

extension DocumentCollection {
    /// Converts documents, including deleted ones, to a newer way of storing revisions, some at a
    /// time. A revision tree in the body (Couchbase Lite 2) becomes one beside the body. With
    /// `.versionVectors`, a tree becomes a version vector if a vector can represent all of its
    /// relevant revisions.
    ///
    /// This creates no new revision and no new sequence, and does not change body, flags or
    /// expiration. The subsequence is incremented. From then on the file stores new revisions in
    /// that way; see `Transaction.upgradeVersioning(to:)`.
    ///
    /// - Parameters:
    ///   - key: the `lastKey` of the previous call; nil to start.
    ///   - limit: the number of documents to examine.
    ///
    /// Throws `.notFound` if the collection does not exist, `.invalidParameter` for `.treesInBody`.
    /// A damaged document is reported as one that was not converted.
    package func upgradeRevisions(
        in transaction: Transaction, to versioning: Versioning, after key: String? = nil,
        limit: Int = 1000
    ) throws -> RevisionUpgrade {
        guard versioning != .treesInBody else {
            throw StoreError(
                .invalidParameter, "documents cannot be converted to the form of Couchbase Lite 2")
        }
        try requireExistence(in: transaction)
        if try transaction.versioning().rawValue < versioning.rawValue {
            try transaction.upgradeVersioning(to: versioning)
        }
        var upgrade = RevisionUpgrade()
        // Rows are not changed while the enumeration reads them.
        let older = try rowsWithTrees(after: key, limit: limit, in: transaction)
        (upgrade.lookedAt, upgrade.lastKey) = (older.lookedAt, older.lastKey)
        for key in older.keys { try self.upgrade(key, to: versioning, in: transaction, &upgrade) }
        return upgrade
    }

    private func upgrade(
        _ key: String, to versioning: Versioning, in transaction: Transaction,
        _ upgrade: inout RevisionUpgrade
    ) throws {
        guard let record = try keyStore.get(key, in: transaction) else { return }
        let isOutdated = record.layout == .treeInBody
        guard isOutdated || versioning == .versionVectors else { return }
        do {
            var history = try DocumentHistory(record, sharedKeys: transaction.sharedKeys)
            var reason: String?
            if versioning == .versionVectors {
                history = try history.upgradedToVector()
                reason = history.reasonToStayTree
            }
            if reason == nil || isOutdated {
                try write(history, over: record, keepsSequence: true, in: transaction)
            }
            if let reason {
                upgrade.keep(key, reason)
            } else {
                upgrade.converted += 1
            }
        } catch let error as StoreError where error.isOfDocument {
            upgrade.keep(key, error.message)
        }
    }
}

extension DocumentHistory {
    /// The reason why a document still has a tree after the conversion to a vector; nil if it does
    /// not.
    fileprivate var reasonToStayTree: String? {
        guard case .tree(let tree) = form else { return nil }
        if tree.revisions.isEmpty { return "none of its revisions is known" }
        if !tree.rejected.isEmpty { return "a remote has rejected one of its revisions" }
        let known = Set(tree.remotes.map(\.revision))
        guard tree.conflicts.allSatisfy(known.contains) else {
            return "it is in conflict with a branch that no remote has; resolve that first"
        }
        return "its revision ID cannot be represented in a version vector"
    }
}

extension StoreError {
    /// Whether it is an error of one document's contents, as opposed to the file or the disk.
    var isOfDocument: Bool {
        [.corruptData, .corruptRevisionData, .badRevisionID, .invalidParameter].contains {
            (code: StoreError.Code) in has(code)
        }
    }
}

/// The result of converting some of a collection's documents to a newer way of storing revisions.
package struct RevisionUpgrade: Hashable, Sendable {
    /// A document that was not converted.
    package struct Kept: Hashable, Sendable {
        package let key: String
        /// The reason, in one line.
        package let reason: String
    }

    /// The number of examined documents.
    package internal(set) var lookedAt = 0
    /// The number of converted documents.
    package internal(set) var converted = 0
    /// The number of documents that could not be converted.
    package internal(set) var kept = 0
    /// Some of the documents that could not be converted.
    package internal(set) var examples: [Kept] = []
    /// The key at which to continue; nil if all documents have been examined.
    package internal(set) var lastKey: String?

    /// The maximum number of examples.
    package static let maximumExamples = 20

    mutating func keep(_ key: String, _ reason: String) {
        kept += 1
        if examples.count < Self.maximumExamples { examples.append(Kept(key: key, reason: reason)) }
    }
}
