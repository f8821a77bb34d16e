import BLIP
import BLIPWebSocket
import DataFileCore
import FleeceLite
import ProjectTestSupport
import Replication

@testable import CouchbaseReplication

/// The settings of the active side of a recorded connection, as its messages show them.
struct ReplaySettings: Sendable {
    static let address = "ws://127.0.0.1:4991/db"

    var collections: [ReplicatedCollection] = []
    var channels: [String] = []
    var checkpointIDs: [String] = []

    init(_ scenario: ReplayScenario, _ connection: ReplayConnection) throws {
        var pushes: Set<Int64> = []
        var pulls: [Int64: BLIPMessage] = [:]
        for (request, _) in connection.exchanges(of: .active) {
            let message = request.message
            let index = message.properties.int("collection") ?? 0
            switch message.profile {
            case "getCollections":
                let members = try JSONBody.value(message.body).dictionary
                checkpointIDs = members?["checkpoint_ids"]?.array?.compactMap(\.string) ?? []
            case "proposeChanges": pushes.insert(index)
            case "subChanges": pulls[index] = message
            default: break
            }
        }
        for (index, path) in connection.collections.enumerated() {
            let index = Int64(index)
            var settings = ReplicatedCollection(
                DocumentCollection(try CollectionName(path)),
                direction: pulls[index] == nil ? .push : pushes.contains(index) ? .both : .pull,
                resolver: .keep)
            if let message = pulls[index] { try read(message, &settings) }
            setFilters(scenario.name, connection.number, &settings)
            collections.append(settings)
        }
    }

    private mutating func read(
        _ message: BLIPMessage, _ settings: inout ReplicatedCollection
    ) throws {
        if message.properties["filter"] == "sync_gateway/bychannel" {
            channels = message.properties["channels"]?.split(separator: ",").map(String.init) ?? []
        }
        guard !message.body.isEmpty else { return }
        let ids = try JSONBody.value(message.body).dictionary?["docIDs"]?.array
        settings.documentIDs = ids?.compactMap(\.string)
    }

    /// What only the descriptions of the scenarios tell.
    private func setFilters(
        _ name: String, _ connection: Int, _ settings: inout ReplicatedCollection
    ) {
        if name.hasSuffix("_filters") {
            settings.pushFilter = { $0.id != "doc2" }
            settings.pullFilter = { $0.id != "p2" }
        } else if name.hasSuffix("_gap_checkpoint"), connection == 0 {
            settings.documentIDs = ["doc1", "doc3", "doc5"]
        }
    }

    /// An endpoint whose address is that of the recordings, on another port.
    func endpoint(port: Int) throws -> CouchbaseEndpoint {
        var endpoint = try CouchbaseEndpoint(Self.address)
        endpoint.connectedURL = WebSocketURL("ws://127.0.0.1:\(port)/db/_blipsync")
        endpoint.connectSeconds = 120
        endpoint.channels = channels
        return endpoint
    }
}
