package import StoreFormat

/// A revision of another database that is written in the form of Couchbase Lite 4.
struct IncomingRevision {
    let revision: RevisionID
    /// The versions; a legacy one represents a tree revision.
    let vector: VersionVector
    /// The revisions of a tree before it, newest first.
    private let ancestors: [RevisionID]

    /// - Parameter history: the revision, then those of a tree before it.
    init(_ id: String, _ history: [RevisionID]) throws {
        revision = history[0]
        ancestors = Array(history.dropFirst())
        guard !ancestors.contains(where: \.isVector) else {
            throw StoreError(
                .badRevisionID,
                "a version vector is its own history, but \"\(id)\" was passed with another one")
        }
        let own = try VersionVector(of: revision)
        guard own.count < VersionVector.maximumVersions else {
            throw StoreError(.badRevisionID, "a revision of \"\(id)\" has too many versions")
        }
        if revision.isVector, let legacy = ancestors.first {
            vector = own.including(legacy: try VersionVector(of: legacy).first)
        } else {
            vector = own
        }
    }

    /// The revision as it is stored, with all versions.
    var stored: RevisionID { revision.isVector ? .vector(vector) : revision }

    /// The tree revision that a version vector's document had before the upgrade.
    var legacy: RevisionID? { revision.isVector ? ancestors.first : nil }

    /// The tree revision itself; nil for a version vector.
    var received: RevisionID? { revision.isVector ? nil : revision }

    /// Whether a remote is known to have it or a later one; remotes do not go back.
    func isKnown(to remote: Int, _ remotes: RemoteRevisions) -> Bool {
        guard let latest = remotes.revision(ofRemote: remote)?.revisionID else { return false }
        guard revision.isVector, case .vector(let other) = latest else {
            return revision == latest
        }
        return switch vector.compare(to: other) {
        case .same, .older: true
        case .newer, .conflicting: false
        }
    }

    /// What it is to the current revision of a document.
    func order(to history: DocumentHistory, _ current: VersionVector) -> VersionVector.Order {
        guard !revision.isVector else { return vector.compare(to: current) }
        let known = history.received ?? history.legacyRevisionID
        if revision == known { return current.first.isLegacy ? .same : .older }
        if history.remotes.values.contains(revision) { return .older }
        // Which revisions the stored one descends from is not known.
        return current.first.isLegacy && known.map(ancestors.contains) ?? false
            ? .newer : .conflicting
    }
}

extension RevisionID {
    /// Whether it is one of Couchbase Lite 4.
    var isVector: Bool {
        if case .vector = self { true } else { false }
    }
}

extension DocumentHistory {
    /// What a revision of another database is to the current one; nil if this one has a tree.
    ///
    /// - Parameter history: the revision, then those of a tree before it.
    package func order(of history: [RevisionID]) throws -> VersionVector.Order? {
        guard case .vector(let current, _) = form else { return nil }
        return try IncomingRevision(id, history).order(to: self, current)
    }

    /// The tree revision that the current one was, or is based on; nil if there is none.
    package var legacyRevisionID: RevisionID? {
        guard case .vector(_, let remotes) = form else { return nil }
        return remotes.legacyRevisionID
    }
}
