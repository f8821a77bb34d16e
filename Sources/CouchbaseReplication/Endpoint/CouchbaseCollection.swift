internal import BLIPWebSocket
internal import DataFileCore
internal import Replication

/// A collection of the server.
struct CouchbaseCollection: RemoteCollection {
    let settings: ReplicatedCollection
    let format: CouchbaseCheckpointFormat
    let stream: RemoteChangeStream
    let pusher: RevisionPusher
    let checkpoints: CheckpointSender
    let socket: BLIPSocket
    let index: Int
    /// Gets documents that are asked for by their IDs.
    let current: CurrentRevisions

    func checkpoint(_ id: String) async throws -> ReplicationCheckpoint? {
        await checkpoints.stored.flatMap { format.checkpoint($0) }
    }

    func setCheckpoint(_ checkpoint: ReplicationCheckpoint, for id: String) async throws {
        try await checkpoints.send(format.text(of: checkpoint))
    }

    func earlier(_ position: String, _ other: String) -> String? {
        if position == other { return position }
        guard let first = RemoteSequence(json: position), let second = RemoteSequence(json: other)
        else { return nil }
        return second < first ? other : position
    }

    func propose(
        _ proposals: [ProposedRevision], at position: String?
    ) async throws -> (results: [ProposalResult], position: String?) {
        (try await pusher.send(proposals), position)
    }

    func changes(since position: String?, limit: Int) async throws -> RemoteChanges {
        guard limit > 0 else {
            return RemoteChanges([], position: position ?? "", isLast: true)
        }
        return try await stream.next(since: position, limit: limit)
    }

    func didStore(rejected: [(id: String, reason: String)]) async throws {
        await stream.didStore(rejected: rejected)
    }

    /// The server asks for the blobs that it lacks, when it gets a document.
    func missingBlobs(of digests: [String]) async throws -> [String] { [] }

    func putBlob(
        _ digest: String, _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws {}

    func blob(
        _ blob: Blob, of id: String, _ use: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> Bool {
        try await socket.receive(blob, of: id, collection: index, use)
    }

    func revisions(
        of ids: [String]
    ) async throws -> (documents: [RemoteDocument], left: [String]) {
        (try await current.documents(ids), [])
    }

    /// All: the protocol cannot tell without another connection, and the answer only saves the
    /// deletions of documents that the server does not have.
    func revisionIDs(of ids: [String]) async throws -> [RemoteDocument] {
        ids.map { RemoteDocument(id: $0, revision: "") }
    }
}
