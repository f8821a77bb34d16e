internal import DataFileCore
internal import FleeceLite
internal import StoreFormat
internal import StorePlatform

/// What identifies the file, a collection and the settings of a replication with an endpoint.
struct LocalIdentity: Sendable {
    /// The number of the endpoint in the revisions of remotes.
    let remote: Int
    var revisionText: RevisionText
    let privateUUID: [UInt8]
    let publicUUID: [UInt8]
    private let address: String

    /// Reads the file's IDs, and gives the endpoint a number if it has none.
    init(_ address: String, in transaction: Transaction) throws {
        try self.init(address, transaction.remoteID(of: address), in: transaction)
    }

    /// Reads the file's IDs. The number is 0 if nothing was replicated with the endpoint.
    init(_ address: String, in snapshot: Snapshot) throws {
        try self.init(address, snapshot.remotes()[address] ?? 0, in: snapshot)
    }

    private init(_ address: String, _ remote: Int, in snapshot: Snapshot) throws {
        let info = try snapshot.fileInfo()
        guard let publicUUID = info.publicUUID, let privateUUID = info.privateUUID else {
            throw StoreError(.corruptData, "the file has no UUIDs (kv_info)")
        }
        self.address = address
        self.privateUUID = privateUUID
        self.publicUUID = publicUUID
        self.remote = remote
        revisionText = RevisionText(peer: try VersionVector.PeerID(publicUUID))
    }

    /// The ID of a collection and the endpoint, whatever is replicated of it. It is the ID of the
    /// lock, and begins those of checkpoints.
    func id(of collection: DocumentCollection) -> String {
        "sync-" + digest([address, collection.name.description])
    }

    /// The ID of the checkpoint of a collection.
    func checkpointID(of collection: ReplicatedCollection) -> String {
        let ids = collection.exactIDs?.map(\.string).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        let filters = [collection.filterName, ids?.joined(separator: "\0") ?? "\0"]
        return "\(id(of: collection.collection))-\(digest(filters))"
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
