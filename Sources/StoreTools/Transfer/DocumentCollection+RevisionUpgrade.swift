package import DataFileCore
package import StoreFormat

extension DocumentCollection {
    /// Brings documents, deleted ones too, that keep their revisions in an older way to a newer
    /// one, some at a time: a tree in the body (Couchbase Lite 2) becomes one beside it, and with
    /// `.versionVectors` a tree becomes a vector where one can hold all that counts.
    ///
    /// There is no new revision and no new sequence: body, flags and expiration stay. The
    /// subsequence grows by one. The file keeps new revisions in that way from then on; see
    /// `Transaction.upgradeVersioning(to:)`.
    ///
    /// - Parameters:
    ///   - key: where an earlier call ended: its `lastKey`; nil to begin.
    ///   - limit: how many documents are looked at.
    ///
    /// Throws `.notFound` if there is no such collection, `.invalidParameter` for
    /// `.treesInBody`. A document that is damaged is one that stays.
    package func upgradeRevisions(
        in transaction: Transaction, to versioning: Versioning, after key: String? = nil,
        limit: Int = 1000
    ) throws -> RevisionUpgrade {
        guard versioning != .treesInBody else {
            throw StoreError(
                .invalidParameter, "nothing is converted to the form of Couchbase Lite 2")
        }
        try requireExistence(in: transaction)
        if try transaction.versioning().rawValue < versioning.rawValue {
            try transaction.upgradeVersioning(to: versioning)
        }
        var upgrade = RevisionUpgrade()
        // The rows are not changed while they are walked through.
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
    /// Why it is a tree still after it should have become a vector; nil if it is none.
    fileprivate var reasonToStayTree: String? {
        guard case .tree(let tree) = form else { return nil }
        if tree.revisions.isEmpty { return "no revision of it is known" }
        if !tree.rejected.isEmpty { return "a remote has refused a revision of it" }
        let known = Set(tree.remotes.map(\.revision))
        guard tree.conflicts.allSatisfy(known.contains) else {
            return "it is in conflict with a branch that no remote has; resolve that first"
        }
        return "the id of its revision has no place in a version vector"
    }
}

extension StoreError {
    /// Whether it is about what one document holds, not about the file or the disk.
    var isOfDocument: Bool {
        [.corruptData, .corruptRevisionData, .badRevisionID, .invalidParameter].contains {
            (code: StoreError.Code) in has(code)
        }
    }
}

/// What bringing a part of a collection's documents to a newer way of keeping revisions did.
package struct RevisionUpgrade: Hashable, Sendable {
    /// A document that stays as it is.
    package struct Kept: Hashable, Sendable {
        package let key: String
        /// Why, as one line.
        package let reason: String
    }

    /// How many documents were looked at.
    package internal(set) var lookedAt = 0
    /// How many were converted.
    package internal(set) var converted = 0
    /// How many have to stay as they are.
    package internal(set) var kept = 0
    /// Some of those.
    package internal(set) var examples: [Kept] = []
    /// Where to go on; nil when all have been looked at.
    package internal(set) var lastKey: String?

    /// The most examples.
    package static let maximumExamples = 20

    mutating func keep(_ key: String, _ reason: String) {
        kept += 1
        if examples.count < Self.maximumExamples { examples.append(Kept(key: key, reason: reason)) }
    }
}
