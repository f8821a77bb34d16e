/// How an endpoint's checkpoints are named and written, in the file and at the remote.
public protocol CheckpointFormat: Sendable {
    /// Whether a checkpoint says which run wrote it. Otherwise that of the remote is always taken
    /// for one of this file.
    var namesRuns: Bool { get }

    /// The ID of the checkpoint of a collection.
    func id(of collection: ReplicatedCollection, in database: ReplicatedDatabase) -> String

    /// The text of a checkpoint.
    func text(of checkpoint: ReplicationCheckpoint) -> String

    /// Reads ``text(of:)``; nil if it is something else.
    func checkpoint(_ text: String) -> ReplicationCheckpoint?
}

/// The format of endpoints that have none of their own.
struct StandardCheckpointFormat: CheckpointFormat {
    var namesRuns: Bool { true }

    func id(of collection: ReplicatedCollection, in database: ReplicatedDatabase) -> String {
        database.identity.checkpointID(of: collection)
    }

    func text(of checkpoint: ReplicationCheckpoint) -> String { checkpoint.json }

    func checkpoint(_ text: String) -> ReplicationCheckpoint? { ReplicationCheckpoint(json: text) }
}
