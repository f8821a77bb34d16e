internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Documents of which the remote had the current revision, or one that conflicts with it.
struct HeldDocuments: Sendable {
    struct Item: Sendable {
        let id: String
        let sequence: Int64
        /// The revision that the remote had.
        let revision: RevisionID
        let hasConflict: Bool
    }

    var items: [Item] = []
    /// The last sequence that was read.
    var position: Int64
    /// Whether there are no further ones.
    var isLast = false
}

/// Reads the documents of a collection that were not changed since the remote had them, in the
/// order of their sequences.
struct HeldDocumentReader: Sendable {
    /// The number of rows in a batch.
    static let maximumCount = 2000

    let collection: ReplicatedCollection
    let remote: Int

    /// The documents after a sequence, up to another one.
    func documents(
        after sequence: Int64, upTo last: Int64, in snapshot: Snapshot
    ) throws -> HeldDocuments {
        var documents = HeldDocuments(position: sequence, isLast: true)
        guard sequence < last, try collection.collection.exists(in: snapshot) else {
            return documents
        }
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = sequence + 1...last
        options.limit = Self.maximumCount
        options.includesDeleted = true
        var count = 0
        let records = try collection.collection.keyStore.records(options, in: snapshot)
        try records.forEachRow { row in
            count += 1
            documents.position = row.sequence
            if let item = try item(row, snapshot) { documents.items.append(item) }
            return true
        }
        documents.isLast = count < Self.maximumCount
        return documents
    }

    /// Nil for a document that was changed since, or is not replicated.
    private func item(
        _ row: borrowing RecordRow, _ snapshot: Snapshot
    ) throws -> HeldDocuments.Item? {
        let id = row.key
        let hasConflict = row.flags.contains(.conflicted)
        guard collection.includes(id), hasConflict || !row.flags.contains(.deleted)
        else { return nil }
        let record = row.copy()
        let keys = try snapshot.requireSharedKeys()
        // A damaged one is left alone; its push reports it.
        guard let document = try? Document(record, sharedKeys: keys),
            let revision = document.revisionID, let held = held(record, revision, keys),
            held == revision || hasConflict,
            isIncluded(document)
        else { return nil }
        return HeldDocuments.Item(
            id: id, sequence: record.sequence, revision: held, hasConflict: hasConflict)
    }

    /// Whether the document is replicated. One that the filter cannot test is left alone.
    private func isIncluded(_ document: Document) -> Bool {
        guard let filter = collection.pullFilter else { return true }
        return (try? filter(ReplicatedRevision(document))) ?? false
    }

    /// Saves a document as a new revision, if the remote had the current one. One that is damaged
    /// is left alone.
    func saveAgain(_ record: Record, in transaction: Transaction) throws {
        let keys = transaction.sharedKeys
        guard let document = try? Document(record, sharedKeys: keys), !document.isDeleted,
            let revision = document.revisionID, held(record, revision, keys) == revision
        else { return }
        let body = document.properties.map { MutableFleeceDictionary($0) } ?? [:]
        _ = try collection.collection.save(record.key, in: transaction) { try $0.write(body) }
    }

    /// The revision that the remote had; nil if none is known.
    private func held(
        _ record: Record, _ revision: RevisionID, _ keys: SharedKeys
    ) -> RevisionID? {
        if remote == 1, record.flags.contains(.synced) { return revision }
        return (try? DocumentHistory(record, sharedKeys: keys))?.remotes[remote]
    }
}

extension ReplicatedRevision {
    /// The current revision of a document.
    init(_ document: Document) {
        self.init(
            id: document.id, isDeleted: document.isDeleted, properties: document.properties)
    }
}
