public import DataFileCore

/// A place with which a ``Replicator`` exchanges documents: a database server, for example.
///
/// The replicator knows no protocol; an endpoint opens sessions that speak one.
public protocol ReplicationEndpoint: Sendable {
    /// The address without credentials. It identifies the endpoint in checkpoints and in the
    /// revisions of remotes, so it must not change while the endpoint is the same place.
    var address: String { get }

    /// How checkpoints are named and written.
    var checkpointFormat: (any CheckpointFormat)? { get }

    /// Connects.
    ///
    /// - Throws: ``ReplicationError``.
    func connect(for database: ReplicatedDatabase) async throws -> any ReplicationSession
}

extension ReplicationEndpoint {
    /// Nil: the format of this module.
    public var checkpointFormat: (any CheckpointFormat)? { nil }
}

/// An endpoint that understands the IDs of tree revisions, which documents had before their
/// database was upgraded, beside version vectors.
package protocol LegacyRevisionEndpoint: ReplicationEndpoint {}

/// A connection with an endpoint.
///
/// A replicator calls one method at a time. After an error other than a cancellation it closes the
/// session and connects again.
public protocol ReplicationSession: Sendable {
    /// Finds a collection at the remote, and creates it if it does not exist.
    func open(_ collection: CollectionName) async throws -> any RemoteCollection

    /// Finds a collection at the remote; nil if it does not exist. Changes nothing.
    func find(_ collection: CollectionName) async throws -> (any RemoteCollection)?

    /// The names of the collections that the remote has.
    func collectionNames() async throws -> [CollectionName]

    /// Waits until a collection of the remote may have changed, for that long at most.
    /// Cancellation ends the wait and is not an error.
    func waitForChange(seconds: Double) async throws

    /// Closes the connection; further calls fail.
    func close() async
}

/// A collection at a remote.
public protocol RemoteCollection: Sendable {
    /// The checkpoint that a client stored beside the data; nil if there is none.
    func checkpoint(_ id: String) async throws -> ReplicationCheckpoint?

    /// Stores a checkpoint.
    func setCheckpoint(_ checkpoint: ReplicationCheckpoint, for id: String) async throws

    /// The earlier one of two positions in the remote's changes; nil for the beginning.
    func earlier(_ position: String, _ other: String) -> String?

    /// Writes revisions, each only if the remote has the revision on which it is based.
    ///
    /// - Parameters:
    ///   - proposals: revisions of different documents.
    ///   - position: the position up to which the remote's changes are known; nil for none.
    /// - Returns: the result for each of them, in this order; and the position, which is after the
    ///   accepted revisions if the remote had no other changes in between, so that they need not be
    ///   received again.
    func propose(
        _ proposals: [ProposedRevision], at position: String?
    ) async throws -> (results: [ProposalResult], position: String?)

    /// The changes after a position, the oldest first.
    ///
    /// - Parameters:
    ///   - position: where the previous call ended; nil for the beginning.
    ///   - limit: how many changes are returned at most; 0 for their number only, as exact as the
    ///     remote can tell.
    func changes(since position: String?, limit: Int) async throws -> RemoteChanges

    /// Called when the oldest batch of changes for which it was not called yet is in the file,
    /// without those documents that the file does not accept.
    func didStore(rejected: [(id: String, reason: String)]) async throws

    /// The current revisions of documents; documents that the remote lacks are left out.
    ///
    /// - Returns: at least one, and as many as fit into a few megabytes; and the IDs of the others.
    func revisions(
        of ids: [String]
    ) async throws -> (documents: [RemoteDocument], left: [String])

    /// The same without bodies: which of the documents the remote has, tombstones included, with
    /// their revisions and histories.
    func revisionIDs(of ids: [String]) async throws -> [RemoteDocument]

    /// Those of the blobs that the remote lacks.
    func missingBlobs(of digests: [String]) async throws -> [String]

    /// Stores a blob, of which `next` returns the parts, and nil at the end.
    func putBlob(
        _ digest: String, _ next: @escaping @Sendable () async throws -> [UInt8]?
    ) async throws

    /// Passes the parts of a blob of a document to a closure; false if the remote does not have it.
    func blob(
        _ blob: Blob, of id: String, _ use: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> Bool
}

extension RemoteCollection {
    /// Does nothing.
    public func didStore(rejected: [(id: String, reason: String)]) async throws {}
}
