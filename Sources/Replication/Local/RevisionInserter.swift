internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// Writes revisions of a remote into the file, and resolves the conflicts that they cause.
struct RevisionInserter: Sendable {
    /// What became of a batch.
    struct Result: Sendable {
        /// The documents that were changed.
        var saved: [String] = []
        /// The documents with a conflict, and whether it is resolved.
        var conflicts: [(id: String, isResolved: Bool)] = []
        var rejected: [(id: String, reason: String)] = []
        /// The documents to be received again: with a blob that could not be received, or rejected.
        var incomplete: [String] = []

        mutating func add(_ other: Result) {
            saved += other.saved
            conflicts += other.conflicts
            rejected += other.rejected
            incomplete += other.incomplete
        }

        /// The documents with a conflict that is kept.
        var kept: [String] { conflicts.filter { !$0.isResolved }.map(\.id) }
    }

    let collection: ReplicatedCollection
    let remote: Int
    let revisionText: RevisionText

    /// Writes a batch of documents that are to be replicated, which were tested before. A document
    /// that cannot be written is reported, and the others are written.
    func insert(_ documents: [RemoteDocument], in transaction: Transaction) throws -> Result {
        var result = Result()
        for document in documents {
            do {
                try insert(document, in: transaction, &result)
            } catch let error where error.isOfDocument {
                result.rejected.append((document.id, "\(error)"))
                result.incomplete.append(document.id)
            }
        }
        return result
    }

    /// Removes documents that the remote does not let this user read any more, as it was told.
    func remove(_ ids: [String], in transaction: Transaction) throws {
        for id in ids where collection.includes(id) {
            _ = try collection.collection.purge(id, in: transaction)
        }
    }

    private func insert(
        _ document: RemoteDocument, in transaction: Transaction, _ result: inout Result
    ) throws {
        let history = try revisionText.history(of: document)
        guard try isWanted(document, in: transaction) else { return }
        let current = try current(of: document.id, before: history, in: transaction)
        let ancestor = try current.flatMap { try self.ancestor(in: $0) }
        let isOvertaken = current.map { self.isOvertaken($0, by: history) } ?? false
        let inserted = try collection.collection.insert(
            document.id, history: history, isDeleted: document.isDeleted, remote: remote,
            in: transaction
        ) { try document.write(to: &$0) }
        switch inserted {
        case .saved:
            result.saved.append(document.id)
            if isOvertaken { result.conflicts.append((document.id, true)) }
        case .known: break
        case .conflict:
            // After an earlier conflict the one from before that is stored.
            let base = try ancestor ?? self.ancestor(of: document.id, in: transaction)
            try resolve(document.id, base, in: transaction, &result)
        }
    }

    /// Resolves the conflicts of documents that were kept before, if there are any left.
    func resolve(_ ids: [String], in transaction: Transaction) throws -> Result {
        var result = Result()
        for id in ids {
            do {
                let record = try collection.collection.keyStore.get(id, in: transaction)
                guard let record, record.flags.contains(.conflicted) else { continue }
                try resolve(id, try ancestor(of: id, in: transaction), in: transaction, &result)
            } catch let error where error.isOfDocument {
                result.conflicts.append((id, false))
                result.rejected.append((id, "\(error)"))
            }
        }
        return result
    }

    private func resolve(
        _ id: String, _ ancestor: FleeceDictionary?, in transaction: Transaction,
        _ result: inout Result
    ) throws {
        do {
            result.conflicts.append((id, try resolve(id, ancestor, in: transaction)))
        } catch let failure as ResolverFailure {
            result.conflicts.append((id, false))
            result.rejected.append((id, "\(failure.error)"))
        } catch let error where error.isOfDocument {
            // The resolver has merged what no document may have, such as a property _id.
            result.conflicts.append((id, false))
            result.rejected.append((id, "\(error)"))
        }
    }

    /// What the file has of a document; nil where that does not matter, so that a pull need not
    /// look up each document.
    private func current(
        of id: String, before history: [RevisionID], in transaction: Transaction
    ) throws -> DocumentHistory? {
        var isOwn = false
        if case .vector(let vector)? = history.first { isOwn = vector.time(of: .local) != nil }
        guard isOwn || collection.resolver.decides else { return nil }
        return try collection.collection.history(of: id, in: transaction)
    }

    /// Whether a revision replaces a change of this file, which the remote does not have, by a
    /// later one of this file that the file does not know: it is that of a copy with the same
    /// UUIDs, or from before the file was restored. Versions of one source are not conflicts, but
    /// the change is reported as one.
    private func isOvertaken(_ current: DocumentHistory, by history: [RevisionID]) -> Bool {
        guard case .vector(let vector)? = history.first, let time = vector.time(of: .local),
            case .vector(let own)? = current.revisionID, own.first.source == .local,
            own.first.time < time
        else { return false }
        return current.remotes[remote] != current.revisionID
    }

    /// Documents of the remote that the filter has tested.
    struct Tested: Sendable {
        var accepted: [RemoteDocument] = []
        /// Those that could not be tested, and the reasons.
        var failed: [(id: String, reason: String)] = []
    }

    /// Tests documents, before their blobs are received.
    func tested(_ documents: [RemoteDocument]) -> Tested {
        guard let filter = collection.pullFilter else { return Tested(accepted: documents) }
        var tested = Tested()
        for document in documents {
            do {
                let isAccepted =
                    try document.isDeleted
                    || filter(
                        ReplicatedRevision(
                            id: document.id, isDeleted: false,
                            properties: document.decoded().root.dictionary))
                if isAccepted { tested.accepted.append(document) }
            } catch {
                tested.failed.append((document.id, "\(error)"))
            }
        }
        return tested
    }

    /// With a filter, deletions are accepted of documents that the file has.
    private func isWanted(_ document: RemoteDocument, in transaction: Transaction) throws -> Bool {
        guard collection.pullFilter != nil, document.isDeleted else { return true }
        let keyStore = collection.collection.keyStore
        return try keyStore.get(document.id, content: .metadata, in: transaction) != nil
    }

    /// The revision that the remote had before, whose properties the file still has.
    private func ancestor(in history: DocumentHistory) throws -> FleeceDictionary? {
        guard collection.resolver.decides, let base = history.remotes[remote] else {
            return nil
        }
        return try history.revisionList().first { $0.id == base && !$0.isUnresolved }?.properties
    }

    /// What both sides of a conflict had, if it is needed and stored.
    private func ancestor(
        of id: String, in transaction: Transaction
    ) throws -> FleeceDictionary? {
        guard collection.resolver.decides else { return nil }
        return try collection.collection.history(of: id, in: transaction)?.commonAncestor()?
            .properties
    }

    private func resolve(
        _ id: String, _ ancestor: FleeceDictionary?, in transaction: Transaction
    ) throws -> Bool {
        let decide = collection.resolver.decision(revisionText)
        do {
            let saved = try collection.collection.resolveConflicts(of: id, in: transaction) {
                current, other in
                if Self.isSame(current, other) { return .takeOther }
                guard let decide else { throw KeptConflict() }
                do {
                    return try decide(current, other, ancestor)
                } catch {
                    throw ResolverFailure(error: error)
                }
            }
            return saved != nil
        } catch is KeptConflict {
            return false
        }
    }

    /// Whether two revisions are the same change under two names: the file is a copy that got new
    /// UUIDs, so that the changes of the original are its own and those of another file.
    private static func isSame(_ current: Document, _ other: DocumentRevision) -> Bool {
        guard case .vector(let vector)? = current.revisionID, case .vector(let others) = other.id,
            vector.first.time == others.first.time, current.isDeleted == other.isDeleted
        else { return false }
        return current.properties?.value == other.properties?.value
            || current.properties?.isEmpty ?? true && other.properties?.isEmpty ?? true
    }
}

/// Both revisions stay in the file.
private struct KeptConflict: Error {}

/// An error that a resolver of the application throws; the conflict is kept.
private struct ResolverFailure: Error {
    let error: any Error
}

extension Error {
    /// Whether it concerns one document: other documents can be written nevertheless.
    var isOfDocument: Bool {
        switch self {
        case let error as ReplicationError: error.code == .badRemoteData
        case let error as StoreError:
            [.badRevisionID, .corruptRevisionData, .corruptData, .badDocumentID, .invalidParameter]
                .contains { error.has($0) }
        case is FleeceError: true
        default: false
        }
    }
}
