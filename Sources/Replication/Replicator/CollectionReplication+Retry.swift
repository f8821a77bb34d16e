internal import DataFileCore

// Documents with blobs that could not be transferred.
extension CollectionReplication {
    private static let count = 100

    /// Tries again to transfer the blobs that the replications before could not, and the documents
    /// that wait for them.
    func retryBlobs(_ state: inout CollectionState) async throws {
        let (pull, push) = (pullRetries, pushRetries)
        let (pulled, pushed) = try await file.read {
            (try pull.read(in: $0), try push.read(in: $0))
        }
        if collection.pulls, !pulled.isEmpty {
            var left: [String] = []
            for ids in pulled.parts(Self.count) {
                left += try await insert(try await remote.revisions(of: ids)).incomplete
            }
            try await replace(pull, pulled, left)
        }
        if collection.pushes, !pushed.isEmpty {
            var left: [String] = []
            for ids in pushed.parts(Self.count) { left += try await retryPush(ids, &state) }
            try await replace(push, pushed, left)
        }
    }

    private func retryPush(
        _ ids: [String], _ state: inout CollectionState
    ) async throws -> [String] {
        let reader = LocalChangeReader(
            collection: collection, remote: identity.remote, revisionText: identity.revisionText)
        let batch = try await file.read { try reader.changes(of: ids, in: $0) }
        let sent = try await send(batch, &state.position.remote)
        // A document with a conflict is sent when that is resolved.
        _ = try await meet(sent.conflicts)
        try await mark(Done(sent: sent, position: state.position))
        return sent.incomplete
    }

    private func replace(
        _ retries: StoredRetries, _ old: [String], _ new: [String]
    ) async throws {
        guard old.count != new.count else { return }
        try await file.write { try retries.write(new, in: $0) }
    }
}

extension Array {
    fileprivate func parts(_ count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map {
            Array(self[$0..<Swift.min($0 + count, self.count)])
        }
    }
}
