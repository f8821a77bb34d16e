internal import DocumentStore

typealias Migration = CollectionMigration<Collections>

extension CollectionMigration<Collections> {
    /// All of them, the oldest first.
    static var all: [Migration] {
        [
            Migration(name: "the collections and their indexes") { collections, transaction in
                for name in ["logicals", "loads", "metadata", "profiles", "recents", "info"] {
                    try DocumentCollection(CollectionName("vpn." + name)).create(in: transaction)
                }
                let indexes: [IndexSpec] = [
                    // What lists of a country are mostly asked for stands behind it.
                    .value("vpn_logicals_byExit", on: "exitCountryCode, gatewayName, feature"),
                    .value("vpn_logicals_byGateway", on: "gatewayName"),
                    .value("vpn_logicals_byName", on: "namePrefix, sequenceNumber"),
                    .value(
                        "vpn_logicals_down", on: "hasEndpointUp", where: "hasEndpointUp = FALSE"),
                ]
                for index in indexes {
                    _ = try collections.logicals.createIndex(index, in: transaction)
                }
            }
        ]
    }
}

extension ServerStore {
    /// Brings a store up to date.
    ///
    /// Throws `.newerVersion`.
    func migrate(_ migrations: [Migration]) throws {
        try requireKnownSchema()
        try storedVersion.bringUpToDate(collections, migrations, of: file)
    }

    /// The version of the store; 0 for a file that has none yet.
    func version(in snapshot: Snapshot) throws -> Int { try storedVersion.number(in: snapshot) }

    /// A schema between the one that is written and the newest that can be read would let the store
    /// open, and then fail each write.
    private func requireKnownSchema() throws {
        guard file.options.access != .readOnly,
            file.schemaVersion > FileFormat.writtenSchema
        else { return }
        throw ServerStoreError(
            .newerVersion,
            "the file has schema \(file.schemaVersion), and this program writes none later than "
                + "\(FileFormat.writtenSchema): open it with a newer program")
    }

    private var storedVersion: CollectionVersion {
        CollectionVersion(
            in: collections.info, newerVersion: { ServerStoreError(.newerVersion, $0) },
            notReadable: { ServerStoreError(.notReadable, $0) })
    }
}
