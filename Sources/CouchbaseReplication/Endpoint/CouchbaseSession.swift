internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import Replication

/// A connection with a server, as the side that opened it.
final class CouchbaseSession: ReplicationSession {
    private let socket: BLIPSocket
    /// The collections in the order in which the server numbers them.
    private let collections: [CouchbaseCollection]
    private let reading: Task<Void, Never>

    /// Connects.
    init(_ endpoint: CouchbaseEndpoint, _ database: ReplicatedDatabase) async throws {
        let subprotocols = try await Subprotocol.offered(for: database)
        do {
            socket = try await BLIPSocket.connect(endpoint.request(subprotocols)).socket
        } catch let error as WebSocketError {
            throw ReplicationError(error, endpoint.address)
        }
        do {
            collections = try await CollectionsMessage(endpoint, database).exchange(socket)
        } catch {
            await socket.close()
            throw error
        }
        let requests = RequestDispatch(
            socket, BlobRequests(blobs: database.file.blobs, socket: socket),
            collections.map(\.stream), endpoint.address)
        reading = Task { await requests.run() }
    }

    func open(_ name: CollectionName) async throws -> any RemoteCollection {
        guard let collection = collections.first(where: { $0.settings.collection.name == name })
        else {
            // The first message names all collections.
            throw ReplicationError(
                .unreachable, "the collection \(name) was created after connecting")
        }
        return collection
    }

    func find(_ name: CollectionName) async throws -> (any RemoteCollection)? {
        collections.first { $0.settings.collection.name == name }
    }

    /// Those that both sides have: the protocol cannot tell others.
    func collectionNames() async throws -> [CollectionName] {
        collections.map(\.settings.collection.name)
    }

    func waitForChange(seconds: Double) async throws {
        let streams = collections.filter(\.settings.pulls).map(\.stream)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Task.sleep(for: .seconds(seconds)) }
                for stream in streams { group.addTask { try await stream.waitForChange() } }
                try await group.next()
                group.cancelAll()
            }
        } catch is CancellationError {
            // The file has changed.
        }
    }

    func close() async {
        await socket.close()
        reading.cancel()
        await reading.value
    }
}
