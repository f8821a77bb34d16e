internal import DataFileCore
internal import StoreFormat
internal import StorePlatform

/// What identifies the file, a collection and the settings of a replication with an endpoint.
struct LocalIdentity: Sendable {
    /// The number of the endpoint in the revisions of remotes.
    let remote: Int
    let revisionText: RevisionText
    private let privateUUID: [UInt8]
    private let address: String

    /// Reads the file's IDs, and gives the endpoint a number if it has none.
    init(_ address: String, in transaction: Transaction) throws {
        let info = try transaction.fileInfo()
        guard let publicUUID = info.publicUUID, let privateUUID = info.privateUUID else {
            throw StoreError(.corruptData, "the file has no UUIDs (kv_info)")
        }
        self.address = address
        self.privateUUID = privateUUID
        remote = try transaction.remoteID(of: address)
        revisionText = RevisionText(peer: try VersionVector.PeerID(publicUUID))
    }

    /// The ID of the checkpoint of a collection.
    func checkpointID(of collection: ReplicatedCollection) -> String {
        "sync-"
            + digest([
                address, collection.collection.name.description, collection.filterName,
                collection.documentIDs?.sorted().joined(separator: "\0") ?? "\0",
            ])
    }

    /// The ID of the lock of a collection, whatever is replicated of it.
    func lockID(of collection: ReplicatedCollection) -> String {
        "sync-" + digest([address, collection.collection.name.description])
    }

    private func digest(_ strings: [String]) -> String {
        var hash = SHA1()
        for part in [privateUUID] + strings.map({ Array($0.utf8) }) {
            hash.add(BigEndian.bytes(UInt64(part.count)))
            hash.add(part)
        }
        return Hexadecimal.encoded(hash.digest())
    }
}
