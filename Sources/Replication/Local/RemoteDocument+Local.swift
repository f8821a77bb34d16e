internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

extension RemoteDocument {
    /// The current revision of a document of the file, as remotes store it.
    init(
        _ document: Document, _ revision: RevisionID, _ history: DocumentHistory?,
        _ revisionText: RevisionText
    ) throws {
        let (text, ancestors) = try revisionText.strings(of: revision, history)
        self.init(
            id: document.id, revision: text, history: ancestors, isDeleted: document.isDeleted)
        if !document.isDeleted || document.properties?.isEmpty == false,
            let properties = document.body
        {
            let body = try DocumentBody(properties)
            (self.body, fleece) = (body.json, body.fleece)
        } else if !document.isDeleted {
            body = Array("{}".utf8)
        }
    }
}

extension DocumentHistory {
    /// The revisions of a row; nil if there is only the current version.
    static func ifNeeded(
        _ record: Record, _ revision: RevisionID, _ keys: SharedKeys
    ) throws -> DocumentHistory? {
        if case .vector = revision, record.extra?.isEmpty ?? true { return nil }
        return try DocumentHistory(record, sharedKeys: keys)
    }
}

extension RevisionText {
    fileprivate func strings(
        of revision: RevisionID, _ history: DocumentHistory?
    ) throws -> (revision: String, history: String) {
        if case .vector(let vector) = revision {
            return strings(of: vector, legacy: history?.legacyRevisionID)
        }
        guard let tree = history?.tree else { return (text(of: revision), "") }
        return try strings(of: tree)
    }
}
