import DataFileCore
import FleeceLite
import ProjectTestSupport
import Replication
import StoreFormat

@testable import CouchbaseReplication

extension ReplayFile {
    /// Writes what a database had as long as it had trees, and upgrades it.
    static func writeBeforeUpgrade(
        _ path: String, _ scenario: ReplayScenario, _ side: ReplayScenario.Side
    ) throws {
        let address =
            side == .active
            ? try CouchbaseEndpoint(ReplaySettings.address).address
            : ListenerConnection.clients
        let items = try scenario.beginning(side).items.sorted { $0.sequence < $1.sequence }
        let checkpoints = try scenario.checkpoints(side, "before").records
        let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        defer { file.close() }
        try file.write { transaction in
            let remote = try transaction.remoteID(of: address)
            for item in items {
                _ = try DocumentCollection(CollectionName(item.collection)).insert(
                    item.id,
                    history: item.history.split(separator: ",").map {
                        try RevisionID(String($0))
                    }, remote: remote, in: transaction
                ) { _ = try $0.writeJSON(item.body) }
            }
            let store = KeyStore(
                KeyStoreName(side == .passive ? "peerCheckpoints" : "checkpoints"))
            try store.create(in: transaction)
            for (id, record) in checkpoints { try store.putRaw(record, for: id, in: transaction) }
            try transaction.upgradeVersioning(to: .versionVectors)
        }
    }
}
