package import DataFileCore
package import StoreFormat

/// The rule of ``ConflictResolver/lastWriterWins``, for tools that resolve conflicts which are kept
/// in a file.
package struct LastWriter: Sendable {
    private let revisionText: RevisionText

    /// - Throws: ``StoreError/Code/corruptData`` if the file has no UUID.
    package init(in snapshot: Snapshot) throws {
        guard let publicUUID = try snapshot.fileInfo().publicUUID else {
            throw StoreError(.corruptData, "the file has no public UUID (kv_info)")
        }
        revisionText = RevisionText(peer: try VersionVector.PeerID(publicUUID))
    }

    /// Whether a revision wins against another one.
    package func isLater(_ revision: RevisionID, than other: RevisionID) -> Bool {
        revisionText.isLater(revision, than: other)
    }
}
