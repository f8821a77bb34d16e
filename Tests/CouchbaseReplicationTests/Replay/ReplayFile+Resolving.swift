import DataFileCore
import FleeceLite
import StoreFormat

extension ReplayFile {
    /// Resolves a conflict as an event tells: the remote's revision wins, and a merged one follows
    /// it if there is one.
    func resolve(
        _ event: ReplayEvent, _ collection: DocumentCollection, _ peer: VersionVector.PeerID,
        in transaction: Transaction
    ) throws {
        let winner = scenario.name(event["winner"] ?? "", side)
        let revision = scenario.revision(event)
        for id in try Self.conflicted(collection, in: transaction) {
            var isResolved = false
            do {
                _ = try collection.resolveConflicts(of: id, in: transaction) { _, other in
                    guard Self.text(other.id, peer) == winner else { throw OtherConflict() }
                    isResolved = true
                    return .takeOther
                }
            } catch is OtherConflict {}
            guard isResolved, revision != winner else { continue }
            let name = collection.name.description
            let body = scenario.body(name, id, revision)
            let history = try Self.history(
                revision, scenario.history(name, id, revision),
                after: collection.history(of: id, in: transaction), peer)
            _ = try collection.insert(
                id, history: history, isDeleted: body?.isDeleted ?? false, in: transaction
            ) { _ = try $0.writeJSON(body?.json ?? "{}") }
        }
    }

    private static func conflicted(
        _ collection: DocumentCollection, in transaction: Transaction
    ) throws -> [String] {
        guard try collection.exists(in: transaction) else { return [] }
        var options = RecordEnumerator.Options()
        options.conflictedOnly = true
        options.includesDeleted = true
        let records = try collection.keyStore.records(options, in: transaction)
        var ids: [String] = []
        while let record = try records.next() { ids.append(record.key) }
        return ids
    }

    private static func text(_ revision: RevisionID, _ peer: VersionVector.PeerID) -> String {
        guard case .vector(let vector) = revision else { return revision.description }
        return String(vector.globalized(local: peer).text.prefix { !",;".contains($0) })
    }
}

private struct OtherConflict: Error {}
