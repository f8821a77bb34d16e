internal import DocumentStore

extension CollectionMigration {
    /// All migrations, oldest first.
    static var all: [CollectionMigration] {
        [
            CollectionMigration("the collections and their indexes") { transaction in
                for name in ["logicals", "loads", "metadata", "profiles", "recents", "info"] {
                    try DocumentCollection(CollectionName("vpn." + name)).create(in: transaction)
                }
                let logicals = try Collections().logicals
                let indexes: [IndexSpec] = [
                    // The properties that queries by country most often need follow it.
                    .value("vpn_logicals_byExit", on: "exitCountryCode, gatewayName, feature"),
                    .value("vpn_logicals_byGateway", on: "gatewayName"),
                    .value("vpn_logicals_byName", on: "namePrefix, sequenceNumber"),
                    .value(
                        "vpn_logicals_down", on: "hasEndpointUp", where: "hasEndpointUp = FALSE"),
                ]
                for index in indexes {
                    _ = try logicals.createIndex(index, in: transaction)
                }
            }
        ]
    }
}

extension ServerStore {
    /// Migrates a store to the current version.
    ///
    /// Throws `.newerVersion`.
    func migrate(_ migrations: [CollectionMigration]) throws {
        try requireKnownSchema()
        do {
            try CollectionMigrator(migrations, versionIn: collections.info).migrate(file)
        } catch let error as CollectionMigrationError {
            throw ServerStoreError(error)
        }
    }

    /// The version of the store; 0 for a file without one.
    func version(in snapshot: Snapshot) throws -> Int {
        do {
            return try CollectionMigrator(CollectionMigration.all, versionIn: collections.info)
                .version(in: snapshot)
        } catch let error as CollectionMigrationError {
            throw ServerStoreError(error)
        }
    }

    /// Without this check, a schema between the one that is written and the newest readable one
    /// would let the store open, and then fail each write.
    private func requireKnownSchema() throws {
        guard file.options.access != .readOnly,
            file.schemaVersion > FileFormat.writtenSchema
        else { return }
        throw ServerStoreError(
            .newerVersion,
            "the file has schema \(file.schemaVersion), and this program writes none later than "
                + "\(FileFormat.writtenSchema): open it with a newer program")
    }
}

extension ServerStoreError {
    fileprivate init(_ error: CollectionMigrationError) {
        switch error {
        case .newerVersion: self.init(.newerVersion, error.description)
        case .invalidVersion: self.init(.notReadable, error.description)
        }
    }
}
