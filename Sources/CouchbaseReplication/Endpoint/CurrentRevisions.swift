internal import BLIPWebSocket
internal import DataFileCore
internal import Replication

/// Gets the revisions that documents have now at the server.
///
/// The protocol has no message for that. But a subscription can be one of certain documents; since
/// a connection has one subscription for a collection, it needs a connection of its own.
struct CurrentRevisions: Sendable {
    let endpoint: CouchbaseEndpoint
    let database: ReplicatedDatabase
    let settings: ReplicatedCollection

    /// The documents, without those whose revision the file has, and those that do not exist.
    func documents(_ ids: [String]) async throws -> [RemoteDocument] {
        var wanted = settings
        wanted.documentIDs = ids
        let session = try await CouchbaseSession(
            endpoint, ReplicatedDatabase(database, only: wanted))
        do {
            let remote = try await session.open(settings.collection.name)
            var documents: [RemoteDocument] = []
            while true {
                let changes = try await remote.changes(since: nil, limit: ids.count)
                documents += changes.documents
                try await remote.didStore(rejected: [])
                if changes.isLast { break }
            }
            await session.close()
            return documents
        } catch {
            await session.close()
            throw error
        }
    }
}
