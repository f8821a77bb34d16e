internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import FleeceLite
internal import Replication
internal import StorePlatform

/// The first message, `getCollections`: it numbers the collections, and gets their checkpoints.
struct CollectionsMessage: Sendable {
    private let endpoint: CouchbaseEndpoint
    private let database: ReplicatedDatabase
    private let format: CouchbaseCheckpointFormat

    init(_ endpoint: CouchbaseEndpoint, _ database: ReplicatedDatabase) {
        self.endpoint = endpoint
        self.database = database
        format = CouchbaseCheckpointFormat(url: endpoint.address, channels: endpoint.channels)
    }

    /// Sends it; returns the collections in their order.
    func exchange(_ socket: BLIPSocket) async throws -> [CouchbaseCollection] {
        guard !database.collections.isEmpty else { return [] }
        let checkpoints: [FleeceValue]
        do {
            checkpoints = try await socket.request(message).array()
        } catch let error as BLIPErrorResponse {
            throw ReplicationError(error, "the remote does not accept the collections")
        }
        guard checkpoints.count == database.collections.count else {
            throw ReplicationError(
                .badRemoteData,
                "the remote answered for \(checkpoints.count) collections, not "
                    + "\(database.collections.count)")
        }
        let usesVectors = try await database.usesVectors()
        return try database.collections.enumerated().map { index, settings in
            try collection(index, settings, checkpoints[index], socket, usesVectors)
        }
    }

    private func collection(
        _ index: Int, _ settings: ReplicatedCollection, _ value: FleeceValue,
        _ socket: BLIPSocket, _ usesVectors: Bool
    ) throws -> CouchbaseCollection {
        guard let members = value.dictionary else {
            throw ReplicationError(
                .incompatible, "the remote does not have the collection \(settings.path)")
        }
        let subscription = RemoteChangeStream.Subscription(
            collection: index, isContinuous: database.isContinuous, usesVectors: usesVectors,
            channels: endpoint.channels, documentIDs: settings.documentIDs)
        return CouchbaseCollection(
            settings: settings, format: format,
            stream: RemoteChangeStream(socket, subscription, settings, database),
            pusher: RevisionPusher(socket, index, settings, database),
            checkpoints: CheckpointSender(
                socket, index, id: format.id(of: settings, in: database),
                revision: members["rev"]?.string ?? "",
                stored: members.isEmpty ? nil : try value.json()), socket: socket, index: index,
            current: CurrentRevisions(endpoint: endpoint, database: database, settings: settings))
    }

    private var message: BLIPMessage {
        var text = JSONText()
        text.append("{\"checkpoint_ids\":")
        text.append(array: database.collections.map { format.id(of: $0, in: database) })
        text.append(",\"collections\":")
        text.append(array: database.collections.map(\.path))
        text.append("}")
        return BLIPMessage(
            ["Profile": "getCollections", "uuid": Self.text(ofUUID: database.publicUUID)],
            body: text.utf8)
    }

    /// `8-4-4-4-12` digits.
    private static func text(ofUUID bytes: [UInt8]) -> String {
        var text = Hexadecimal.encoded(bytes)
        for offset in [20, 16, 12, 8] where text.utf8.count > offset {
            text.insert("-", at: text.index(text.startIndex, offsetBy: offset))
        }
        return text
    }
}

extension ReplicatedCollection {
    /// The name in the protocol: that of a scope, unless it is the default one, a dot, and that of
    /// the collection.
    var path: String { collection.name.description }
}
