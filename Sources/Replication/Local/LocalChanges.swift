internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Changes of a collection to be pushed.
struct LocalChanges: Sendable {
    /// A document whose current revision the remote does not have as far as the file knows.
    struct Change: Sendable {
        let proposal: ProposedRevision
        let revision: RevisionID
        let sequence: Int64
        /// The blobs that its properties refer to.
        let blobs: [Blob]
        /// Whether it is a deletion that the remote needs only if it has the document.
        let isForExisting: Bool
    }

    /// A document that cannot be read or converted.
    struct Failure: Sendable {
        let id: String
        let reason: String
    }

    var changes: [Change] = []
    var failures: [Failure] = []
    /// The last sequence that was read.
    var position: Int64
    /// Whether there are no further changes.
    var isLast = false
}

/// Reads the changes of a collection in the order of their sequences.
struct LocalChangeReader: Sendable {
    /// The limits of a batch.
    static let maximumCount = 2000
    static let maximumBytes = 8 << 20

    let collection: ReplicatedCollection
    let remote: Int
    let revisionText: RevisionText

    /// The changes after a sequence.
    ///
    /// - Parameter verified: up to which sequence also those are included that the remote is
    ///   thought to have.
    func changes(
        after sequence: Int64, verifying verified: Int64, in snapshot: Snapshot
    ) throws -> LocalChanges {
        var changes = LocalChanges(position: sequence)
        guard sequence < .max, try collection.collection.exists(in: snapshot) else {
            changes.isLast = true
            return changes
        }
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = sequence + 1 ... .max
        options.includesDeleted = true
        var bytes = 0
        var isCut = false
        let records = try collection.collection.keyStore.records(options, in: snapshot)
        try records.forEachRow { row in
            isCut = changes.changes.count >= Self.maximumCount || bytes >= Self.maximumBytes
            guard !isCut else { return false }
            bytes += row.bodySize
            changes.position = row.sequence
            add(row, snapshot, verifies: row.sequence <= verified, to: &changes)
            return true
        }
        changes.isLast = !isCut
        return changes
    }

    private func add(
        _ row: borrowing RecordRow, _ snapshot: Snapshot, verifies: Bool,
        to changes: inout LocalChanges
    ) {
        let flags = row.flags
        if remote == 1, flags.contains(.synced), !verifies { return }
        // A conflict has to be resolved first, which changes the document.
        if flags.contains(.conflicted) { return }
        let id = row.key
        guard collection.documentIDs?.contains(id) ?? true else { return }
        do {
            if let change = try change(row.copy(), snapshot, verifies: verifies) {
                changes.changes.append(change)
            }
        } catch {
            changes.failures.append(LocalChanges.Failure(id: id, reason: "\(error)"))
        }
    }

    private func change(
        _ record: Record, _ snapshot: Snapshot, verifies: Bool
    ) throws -> LocalChanges.Change? {
        let keys = try snapshot.requireSharedKeys()
        let document = try Document(record, sharedKeys: keys)
        guard let revision = document.revisionID else { return nil }
        let history = try history(of: record, revision, keys)
        let base = history?.remotes[self.remote]
        let isKnown = base == revision || record.flags.contains(.synced) && self.remote == 1
        guard !isKnown || verifies, passes(document) else { return nil }
        let (text, ancestors) = try strings(of: revision, history)
        var remote = RemoteDocument(
            id: document.id, revision: text, history: ancestors, isDeleted: document.isDeleted)
        var blobs: [Blob] = []
        if !document.isDeleted || document.properties?.isEmpty == false, let body = document.body {
            let body = try DocumentBody(body)
            (remote.body, remote.fleece) = (body.json, body.fleece)
            if document.flags.contains(.hasAttachments), let properties = document.properties {
                blobs = Blob.references(in: properties)
            }
        } else if !document.isDeleted {
            remote.body = Array("{}".utf8)
        }
        return LocalChanges.Change(
            proposal: ProposedRevision(
                remote, base: isKnown ? nil : base.map { revisionText.text(of: $0) }),
            revision: revision, sequence: record.sequence, blobs: blobs,
            isForExisting: document.isDeleted && collection.pushFilter != nil && base == nil)
    }

    /// The revisions of a row; nil if there is only the current version.
    private func history(
        of record: Record, _ revision: RevisionID, _ keys: SharedKeys
    ) throws -> DocumentHistory? {
        if case .vector = revision, record.extra?.isEmpty ?? true { return nil }
        return try DocumentHistory(record, sharedKeys: keys)
    }

    private func strings(
        of revision: RevisionID, _ history: DocumentHistory?
    ) throws -> (revision: String, history: String) {
        if case .vector(let vector) = revision { return revisionText.strings(of: vector) }
        guard let tree = history?.tree else { return (revisionText.text(of: revision), "") }
        return try revisionText.strings(of: tree)
    }

    /// A deletion has no properties to decide on: what the remote has is deleted there.
    private func passes(_ document: Document) -> Bool {
        guard let filter = collection.pushFilter else { return true }
        return document.isDeleted
            || filter(
                ReplicatedRevision(
                    id: document.id, isDeleted: false, properties: document.properties))
    }
}
