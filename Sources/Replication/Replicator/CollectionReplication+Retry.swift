internal import DataFileCore
internal import FleeceLite

// Documents that the replications before could not transfer.
extension CollectionReplication {
    private static let count = 100

    /// Tries again to transfer documents with blobs that were missing, that were not accepted, or
    /// that have a conflict.
    func retry(_ state: inout CollectionState) async throws {
        try await reviveForgotten()
        let (pull, push) = (pullRetries, pushRetries)
        let (pulled, pushed) = try await file.read {
            (try pull.read(in: $0), try push.read(in: $0))
        }
        if collection.pulls {
            for ids in pulled.parts(Self.count) { try await retryPull(ids) }
        }
        for ids in pushed.parts(Self.count) { try await retryPush(ids, &state) }
    }

    private func retryPull(_ ids: [String]) async throws {
        let left = try await insertCurrent(ids).incomplete
        try await remove(ids, except: left, from: pullRetries)
    }

    private func retryPush(_ ids: [String], _ state: inout CollectionState) async throws {
        var left = try await resolve(ids)
        if collection.pushes {
            let reader = changeReader
            let batch = try await file.read { try reader.changes(of: ids, in: $0) }
            var sent = try await send(batch, &state.position.remote)
            _ = try await meet(&sent)
            try await mark(Done(sent: sent, position: state.position))
            left += sent.incomplete
        }
        try await remove(ids, except: left, from: pushRetries)
    }

    /// Resolves conflicts that were kept, as when there was another resolver; returns the documents
    /// whose conflicts are kept still.
    private func resolve(_ ids: [String]) async throws -> [String] {
        let inserter = inserter
        let hasConflict = try await file.read { try inserter.hasConflict(ids, in: $0) }
        guard hasConflict else { return [] }
        let result = try await file.write { try inserter.resolve(ids, in: $0) }
        report(result)
        return result.kept
    }

    private func remove(
        _ ids: [String], except left: [String], from retries: StoredRetries
    ) async throws {
        let left = Set(left.map { ExactString($0) })
        let done = ids.filter { !left.contains(ExactString($0)) }
        guard !done.isEmpty else { return }
        try await file.write { try retries.remove(done, in: $0) }
    }
}

extension Array {
    /// Its elements in parts of a length, the last one shorter.
    func parts(_ count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map {
            Array(self[$0..<Swift.min($0 + count, self.count)])
        }
    }
}
