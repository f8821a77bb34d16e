package import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Writes revisions that another database sends, which has to resolve conflicts itself.
package struct ReceivedRevisions: Sendable {
    let collection: DocumentCollection
    let remote: Int
    let revisionText: RevisionText

    /// What became of a revision.
    package enum Result: Sendable, Equatable {
        case saved
        /// The file has it already, or a later one.
        case known
        /// The file has another revision.
        case conflict
        /// It is not valid, or not accepted.
        case rejected(String)
    }

    /// Whether a revision may replace what the file has.
    package enum Answer: Sendable, Equatable {
        case wanted
        case known
        /// The file has another revision: this one, with its history if it has a version vector.
        case conflict(current: String)
    }

    /// Answers proposals: only the revision on which one is based may be replaced, or a deletion.
    ///
    /// - Parameter proposals: the IDs of documents, their new revisions, and those on which they
    ///   are based; nil for none.
    package func answers(
        to proposals: [(id: String, revision: String, base: String?)], in snapshot: Snapshot
    ) throws -> [Answer] {
        guard try collection.exists(in: snapshot) else { return proposals.map { _ in .wanted } }
        let keys = try snapshot.requireSharedKeys()
        let records = try collection.keyStore.get(
            proposals.map(\.id), content: .metadata, in: snapshot)
        return try zip(proposals, records).map { proposal, record in
            let current = try record.flatMap { record in
                try Document(record, sharedKeys: keys).globalRevisionID {
                    try collection.history(of: record.key, in: snapshot)
                }
            }
            guard let record, let current else { return .wanted }
            let text = revisionText.text(of: current)
            if text == proposal.revision { return .known }
            if text == proposal.base { return .wanted }
            if proposal.base == nil, record.flags.contains(.deleted) { return .wanted }
            return .conflict(current: revisionText.fullText(of: current))
        }
    }

    /// Writes revisions; returns the results in their order.
    package func write(
        _ documents: [RemoteDocument], in transaction: Transaction
    ) throws -> [Result] {
        try documents.map { document in
            do {
                return try write(document, in: transaction)
            } catch let error where error.isOfDocument {
                return .rejected("\(error)")
            }
        }
    }

    private func write(
        _ document: RemoteDocument, in transaction: Transaction
    ) throws -> Result {
        let history = try revisionText.history(of: document)
        let current = try collection.history(of: document.id, in: transaction)
        if let current {
            switch try relation(of: history, to: current) {
            case .known: return .known
            case .conflict: return .conflict
            default: break
            }
        }
        let inserted = try collection.insert(
            document.id, history: history, isDeleted: document.isDeleted, remote: remote,
            in: transaction
        ) { try document.write(to: &$0) }
        switch inserted {
        case .saved: return .saved
        case .known: return .known
        case .conflict: return .conflict
        }
    }

    /// What a revision is to those of the file.
    private func relation(
        of history: [RevisionID], to current: DocumentHistory
    ) throws -> Result {
        guard let own = current.revisionID, let new = history.first else { return .saved }
        if let order = try current.order(of: history) {
            switch order {
            case .newer: return .saved
            case .same, .older: return .known
            case .conflicting: return .conflict
            }
        }
        if let tree = current.tree {
            if tree.index(of: new.binary) != nil { return .known }
            // A deletion ends a document, which may begin again.
            return history.contains(own) || current.isDeleted ? .saved : .conflict
        }
        return .saved
    }
}
