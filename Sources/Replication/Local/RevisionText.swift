internal import DataFileCore
internal import StoreFormat

/// Converts the revisions of a file to the strings that all databases understand, and back.
///
/// In the file `*` stands for the file itself; elsewhere its ID does.
struct RevisionText: Sendable {
    /// The file's `publicUUID`.
    let peer: VersionVector.PeerID
    /// Whether tree revisions that documents had before an upgrade keep their IDs, as LiteCore
    /// sends them; otherwise versions represent them, which SQL understands.
    var keepsTreeRevisions = false

    /// The ID of a revision, and its history if it has one.
    ///
    /// - Parameter legacy: the tree revision that the document had before the upgrade, which ends
    ///   the history, or is the revision if the document was not changed since; nil for none.
    func strings(
        of vector: VersionVector, legacy: RevisionID? = nil
    ) -> (revision: String, history: String) {
        let global = vector.globalized(local: peer)
        guard keepsTreeRevisions, let legacy else {
            return (global.currentText, global.count > 1 ? global.text : "")
        }
        guard let versions = global.withoutLegacy else { return (legacy.description, "") }
        let text = versions.text
        let isMarked = text.utf8.contains(UInt8(ascii: ";"))
        let separator = !isMarked ? "; " : text.utf8.last == UInt8(ascii: ";") ? " " : ", "
        return (versions.currentText, text + separator + legacy.description)
    }

    /// The ID of a revision.
    func text(of revision: RevisionID) -> String {
        guard case .vector(let vector) = revision else { return revision.description }
        return strings(of: vector).revision
    }

    /// The ID of a revision, or the whole version vector.
    func fullText(of revision: RevisionID) -> String {
        guard case .vector(let vector) = revision else { return revision.description }
        return vector.globalized(local: peer).text
    }

    /// The IDs of a tree's current revision and its ancestors, newest first.
    func strings(of tree: RevisionTree) throws -> (revision: String, history: String) {
        guard !tree.revisions.isEmpty else { return ("", "") }
        let ids = try tree.history(of: 0).map {
            try RevisionID(binary: tree.revisions[$0].id).description
        }
        return (ids.first ?? "", ids.count > 1 ? ids.joined(separator: ",") : "")
    }

    /// The revision of a remote document and those before it, as the file writes them.
    func history(of document: RemoteDocument) throws -> [RevisionID] {
        let text = document.history.isEmpty ? document.revision : document.history
        do {
            guard document.revision.isFirst(in: text) else {
                throw StoreError(.badRevisionID, "it does not belong to its history")
            }
            return try ids(in: text)
        } catch {
            throw ReplicationError(
                .badRemoteData,
                "the revision \(document.revision.prefix(60)) of document \"\(document.id)\" at "
                    + "the remote is not valid: \(error)", underlying: error)
        }
    }

    /// Sources that are not IDs of databases: `*`, and the ID that consists of zeros.
    private static let noDatabases: [VersionVector.Source] =
        [.local] + [try? .peer(bytes: [UInt8](repeating: 0, count: 16))].compactMap(\.self)

    private func ids(in text: String) throws -> [RevisionID] {
        if text.utf8.contains(UInt8(ascii: "@")) {
            let parts = text.vectorAndLegacy
            let vector = try VersionVector(text: String(parts.vector))
            let isValid = Self.noDatabases.allSatisfy { vector.time(of: $0) == nil }
            guard isValid else {
                throw StoreError(
                    .badRevisionID, "one of its sources is not the ID of a database")
            }
            let legacy = try parts.legacy.map { try RevisionID($0) }
            return [.vector(vector.localized(local: peer))] + legacy
        }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map {
            try RevisionID(String($0))
        }
    }
}

extension String {
    /// Whether it is the first revision of a history.
    fileprivate func isFirst(in history: String) -> Bool {
        guard history.utf8.starts(with: utf8) else { return false }
        let next = history.utf8.dropFirst(utf8.count).first
        return next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: ";")
    }

    /// The text of a version vector, and the revisions of a tree that follow it.
    fileprivate var vectorAndLegacy: (vector: Substring, legacy: [String]) {
        // Each revision of a tree has a dash, and no version. Most documents never had a tree.
        guard utf8.contains(UInt8(ascii: "-")) else { return (self[...], []) }
        let items = split { $0 == "," || $0 == ";" }
        guard let first = items.first(where: { !$0.utf8.contains(UInt8(ascii: "@")) && $0 != " " })
        else { return (self[...], []) }
        var vector = self[..<first.startIndex]
        if vector.last == "," { vector.removeLast() }
        let rest = items.drop { $0.startIndex < first.startIndex }
        return (vector, rest.map { $0.filter { $0 != " " } })
    }
}

extension Document {
    /// The current revision as other databases know it; see ``DocumentHistory/globalRevisionID``.
    ///
    /// - Parameter history: returns the document's history, which is needed only if the document
    ///   was not changed since an upgrade.
    func globalRevisionID(_ history: () throws -> DocumentHistory?) throws -> RevisionID? {
        guard case .vector(let vector)? = revisionID, vector.first.isLegacy else {
            return revisionID
        }
        return try history()?.globalRevisionID
    }
}

extension DocumentHistory {
    /// The current revision as other databases know it: of a document that was not changed since
    /// the file was upgraded, the tree revision that it had.
    var globalRevisionID: RevisionID? {
        if case .vector(let vector)? = revisionID, vector.first.isLegacy, let legacyRevisionID {
            return legacyRevisionID
        }
        return revisionID
    }
}
