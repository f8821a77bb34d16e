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
        guard let records = try records(after: sequence, in: snapshot) else {
            changes.isLast = true
            return changes
        }
        var bytes = 0
        var isCut = false
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

    /// The number of changes after a sequence, without reading them into memory.
    func count(
        after sequence: Int64, verifying verified: Int64, in snapshot: Snapshot
    ) throws -> Int {
        var count = 0
        try records(after: sequence, in: snapshot)?.forEachRow { row in
            let verifies = row.sequence <= verified
            guard isCandidate(row, verifies: verifies) else { return true }
            do {
                if try pending(row.copy(), snapshot, verifies: verifies) != nil { count += 1 }
            } catch {
                // It is damaged, which the push reports.
                count += 1
            }
            return true
        }
        return count
    }

    /// How many of the documents are not after a sequence and have no conflict.
    func count(
        of ids: [String], upTo sequence: Int64, in snapshot: Snapshot
    ) throws -> Int {
        guard !ids.isEmpty, try collection.collection.exists(in: snapshot) else { return 0 }
        return try collection.collection.keyStore.get(ids, content: .metadata, in: snapshot).count {
            $0.map { $0.sequence <= sequence && !$0.flags.contains(.conflicted) } ?? false
        }
    }

    /// The rows after a sequence in the order of their sequences; nil if there are none.
    private func records(
        after sequence: Int64, in snapshot: Snapshot
    ) throws -> RecordEnumerator? {
        guard sequence < .max, try collection.collection.exists(in: snapshot) else { return nil }
        var options = RecordEnumerator.Options()
        options.order = .sequence
        options.sequences = sequence + 1 ... .max
        options.includesDeleted = true
        return try collection.collection.keyStore.records(options, in: snapshot)
    }

    /// Whether a row may be a change, as far as its metadata says.
    private func isCandidate(_ row: borrowing RecordRow, verifies: Bool) -> Bool {
        let flags = row.flags
        if remote == 1, flags.contains(.synced), !verifies { return false }
        // A conflict has to be resolved first, which changes the document.
        if flags.contains(.conflicted) { return false }
        return collection.includes(row.key)
    }

    private func add(
        _ row: borrowing RecordRow, _ snapshot: Snapshot, verifies: Bool,
        to changes: inout LocalChanges
    ) {
        guard isCandidate(row, verifies: verifies) else { return }
        _ = add(row.copy(), snapshot, verifies: verifies, to: &changes)
    }

    /// Adds a document; false if it need not be pushed.
    private func add(
        _ record: Record, _ snapshot: Snapshot, verifies: Bool, to changes: inout LocalChanges
    ) -> Bool {
        do {
            guard let pending = try pending(record, snapshot, verifies: verifies) else {
                return false
            }
            changes.changes.append(try change(pending))
        } catch {
            changes.failures.append(LocalChanges.Failure(id: record.key, reason: "\(error)"))
        }
        return true
    }

    /// The changes of documents up to a sequence, without those that have conflicts; and the blobs
    /// of those that the remote has.
    func changes(
        of ids: [String], upTo last: Int64, in snapshot: Snapshot
    ) throws -> (LocalChanges, held: [(id: String, blobs: [Blob])]) {
        var changes = LocalChanges(position: 0, isLast: true)
        var held: [(id: String, blobs: [Blob])] = []
        for record in try collection.collection.keyStore.get(ids, in: snapshot) {
            guard let record, record.sequence <= last, collection.includes(record.key),
                !record.flags.contains(.conflicted)
            else { continue }
            guard !add(record, snapshot, verifies: false, to: &changes),
                record.flags.contains(.hasAttachments),
                let document = try? Document(record, sharedKeys: snapshot.requireSharedKeys()),
                let properties = document.properties
            else { continue }
            held.append((record.key, Blob.references(in: properties)))
        }
        return (changes, held)
    }

    /// A revision that the remote does not have as far as the file knows.
    private struct Pending {
        let document: Document
        let revision: RevisionID
        let history: DocumentHistory?
        /// The revision that the remote has; nil for none.
        let base: RevisionID?
    }

    /// The revision of a row; nil if it need not be pushed.
    private func pending(
        _ record: Record, _ snapshot: Snapshot, verifies: Bool
    ) throws -> Pending? {
        let keys = try snapshot.requireSharedKeys()
        let document = try Document(record, sharedKeys: keys)
        guard let revision = document.revisionID else { return nil }
        let history = try DocumentHistory.ifNeeded(record, revision, keys)
        let base = history?.remotes[self.remote]
        let isKnown = base == revision || record.flags.contains(.synced) && self.remote == 1
        guard !isKnown || verifies, try passes(document) else { return nil }
        return Pending(
            document: document, revision: revision, history: history, base: isKnown ? nil : base)
    }

    private func change(_ pending: Pending) throws -> LocalChanges.Change {
        let document = pending.document
        let remote = try RemoteDocument(document, pending.revision, pending.history, revisionText)
        var blobs: [Blob] = []
        if !remote.body.isEmpty, document.flags.contains(.hasAttachments),
            let properties = document.properties
        {
            blobs = Blob.references(in: properties)
        }
        return LocalChanges.Change(
            proposal: ProposedRevision(
                remote, base: pending.base.map { revisionText.text(of: $0) },
                sequence: document.sequence),
            revision: pending.revision, sequence: document.sequence, blobs: blobs,
            isForExisting: document.isDeleted && collection.pushFilter != nil
                && pending.base == nil)
    }

    /// A deletion has no properties to decide on: what the remote has is deleted there.
    private func passes(_ document: Document) throws -> Bool {
        guard let filter = collection.pushFilter, !document.isDeleted else { return true }
        return try filter(ReplicatedRevision(document))
    }
}
