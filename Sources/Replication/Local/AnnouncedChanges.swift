package import DataFileCore
internal import StoreFormat

/// Changes of a collection that are announced to another database.
package struct AnnouncedChanges: Sendable {
    /// A document with its current revision.
    package struct Item: Sendable {
        package let id: String
        package let revision: String
        package let sequence: Int64
        package let isDeleted: Bool
        /// The size of the stored body in bytes.
        package let bodySize: Int
    }

    /// The documents in the order of their changes.
    package var items: [Item] = []
    /// The last sequence that was read.
    package var position: Int64
    /// Whether there are no further ones.
    package var isLast = false

    package init(position: Int64) {
        self.position = position
    }
}

extension KnownRevisions {
    /// The number of rows that are read at once, whether they are changes or not.
    private static let maximumRows = 5000

    /// The changes after a sequence.
    ///
    /// - Parameters:
    ///   - limit: the number of changes at most.
    ///   - includesDeleted: whether tombstones are among them.
    ///   - filter: which documents are included.
    package func changes(
        after sequence: Int64, limit: Int, includesDeleted: Bool,
        _ filter: (Document) throws -> Bool, in snapshot: Snapshot
    ) throws -> AnnouncedChanges {
        var changes = AnnouncedChanges(position: max(sequence, 0))
        guard sequence < .max, try collection.exists(in: snapshot) else {
            changes.isLast = true
            return changes
        }
        let keys = try snapshot.requireSharedKeys()
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = max(sequence, 0) + 1 ... .max
        options.includesDeleted = includesDeleted
        var rows = 0
        var isCut = false
        try collection.keyStore.records(options, in: snapshot).forEachRow { row in
            isCut = changes.items.count >= limit || rows >= Self.maximumRows
            guard !isCut else { return false }
            rows += 1
            changes.position = row.sequence
            let record = row.copy()
            let document = try Document(record, sharedKeys: keys)
            let revision = try document.globalRevisionID {
                try DocumentHistory(record, sharedKeys: keys)
            }
            guard let revision, try filter(document) else { return true }
            changes.items.append(
                AnnouncedChanges.Item(
                    id: document.id, revision: revisionText.text(of: revision),
                    sequence: row.sequence, isDeleted: document.isDeleted,
                    bodySize: row.bodySize))
            return true
        }
        changes.isLast = !isCut
        return changes
    }
}
