package import DataFileCore
package import FleeceLite
internal import StoreFormat

/// Which revisions of a collection's documents a file has.
package struct KnownRevisions: Sendable {
    let collection: DocumentCollection
    let remote: Int
    let revisionText: RevisionText

    /// What a file has of a document of which another database has a revision.
    package enum Knowledge: Sendable, Equatable {
        /// The revision itself, or one that descends from it.
        case known
        /// Not the revision, but these; none if it does not have the document.
        case missing(ancestors: [String])
    }

    /// - Parameter revisions: the IDs of documents and of their current revisions elsewhere.
    /// - Throws: ``ReplicationError/Code/badRemoteData`` if an ID of a revision is not one.
    package func knowledge(
        of revisions: [(id: String, revision: String)], in snapshot: Snapshot
    ) throws -> [Knowledge] {
        guard try collection.exists(in: snapshot) else {
            return revisions.map { _ in .missing(ancestors: []) }
        }
        let keys = try snapshot.requireSharedKeys()
        let records = try collection.keyStore.get(revisions.map(\.id), in: snapshot)
        return try zip(revisions, records).map { revision, record in
            guard let record else { return .missing(ancestors: []) }
            let history = try DocumentHistory(record, sharedKeys: keys)
            let wanted = try revisionText.revision(revision.revision, of: revision.id)
            return try knowledge(of: wanted, in: history)
        }
    }

    private func knowledge(
        of revision: RevisionID, in history: DocumentHistory
    ) throws -> Knowledge {
        if let tree = history.tree {
            if tree.index(of: revision.binary) != nil { return .known }
            let stored = try tree.revisions.filter { $0.body != nil }
                .map { try RevisionID(binary: $0.id).description }
            return .missing(ancestors: stored)
        }
        let own = ([history.globalRevisionID] + history.remotes.values.map { $0 }).compactMap(
            \.self)
        let all = own + [history.legacyRevisionID].compactMap(\.self)
        if all.contains(where: { $0.includes(revision) }) { return .known }
        return .missing(ancestors: own.map { revisionText.text(of: $0) })
    }

    /// The current revision of a document, and its sequence; nil if it does not exist.
    package func current(
        _ id: String, in snapshot: Snapshot
    ) throws -> (document: RemoteDocument, sequence: Int64)? {
        guard try collection.exists(in: snapshot),
            let record = try collection.keyStore.get(id, in: snapshot)
        else { return nil }
        let keys = try snapshot.requireSharedKeys()
        let document = try Document(record, sharedKeys: keys)
        guard let revision = document.revisionID else { return nil }
        let history = try DocumentHistory.ifNeeded(record, revision, keys)
        return (
            try RemoteDocument(document, revision, history, revisionText), document.sequence
        )
    }

    /// The properties of a revision of a document; nil if they are not stored.
    package func properties(
        of id: String, at revision: String, in snapshot: Snapshot
    ) throws -> FleeceDictionary? {
        guard try collection.exists(in: snapshot),
            let history = try collection.history(of: id, in: snapshot)
        else { return nil }
        if let current = history.globalRevisionID, revisionText.text(of: current) == revision {
            return history.isDeleted ? nil : history.body?.root.dictionary
        }
        return try history.revisionList().first { item in
            revisionText.text(of: item.id) == revision && !item.flags.contains(.deleted)
        }?.properties
    }
}

extension RevisionID {
    /// Whether it is a revision of which another one, of the same source, is not later.
    fileprivate func includes(_ other: RevisionID) -> Bool {
        guard case .vector(let vector) = self, case .vector(let version) = other else {
            return self == other
        }
        return vector.time(of: version.first.source).map { $0 >= version.first.time } ?? false
    }
}

extension RevisionText {
    /// The ID of a revision of a remote, without its history, as the file writes it.
    func revision(_ text: String, of id: String) throws -> RevisionID {
        guard
            let revision = try history(of: RemoteDocument(id: id, revision: text)).first
        else { throw ReplicationError(.badRemoteData, "a revision of \"\(id)\" has no ID") }
        return revision
    }
}
