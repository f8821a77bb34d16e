internal import StoreFormat

/// Converts the revisions of a file to the strings that all databases understand, and back.
///
/// In the file `*` stands for the file itself; elsewhere its ID does.
struct RevisionText: Sendable {
    /// The file's `publicUUID`.
    let peer: VersionVector.PeerID

    /// The ID of a revision, and its history if it has one.
    func strings(of vector: VersionVector) -> (revision: String, history: String) {
        let global = vector.globalized(local: peer)
        return (global.currentText, global.count > 1 ? global.text : "")
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

    private func ids(in text: String) throws -> [RevisionID] {
        if text.utf8.contains(UInt8(ascii: "@")) {
            let vector = try VersionVector(text: text)
            guard vector.time(of: .local) == nil else {
                throw StoreError(.badRevisionID, "its source is *, not the ID of a database")
            }
            return [.vector(vector.localized(local: peer))]
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
}
