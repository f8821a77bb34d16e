internal import DataFileCore
internal import FleeceLite

/// What brings a store from one version to the next. A step that was shipped is never changed nor
/// taken away; what reverts one is a step of its own. Steps use no types of the application, which
/// change, nor anything that a locale decides.
struct Migration: Sendable {
    /// What it is for, in the words of `docs/serverstore.md`.
    let name: String
    let apply: @Sendable (Collections, Transaction) throws -> Void

    /// All of them, the oldest first: a store has the version of the last one that it went through.
    static let all = [
        Migration(name: "the collections and their indexes") { collections, transaction in
            for collection in collections.all { try collection.create(in: transaction) }
            let indexes: [IndexSpec] = [
                .value("vpn_logicals_byExit", on: "exitCountryCode"),
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

extension ServerStore {
    /// Brings a store up to date, in one transaction: as a whole, or not at all.
    ///
    /// Throws `.newerVersion`.
    func migrate(_ migrations: [Migration]) throws {
        func requireKnown(_ version: Int) throws {
            guard version <= migrations.count else {
                throw ServerStoreError(
                    .newerVersion,
                    "the file has version \(version) of this store, and this program knows none "
                        + "later than \(migrations.count): open it with a newer program")
            }
        }
        let version = try file.read { try self.version(in: $0) }
        try requireKnown(version)
        guard version < migrations.count else { return }
        try file.write { transaction in
            // Another process may have done it meanwhile.
            let version = try self.version(in: transaction)
            try requireKnown(version)
            for migration in migrations.dropFirst(version) {
                try migration.apply(collections, transaction)
            }
            _ = try collections.info.save("schema", in: transaction) {
                try $0.encode(["version": migrations.count])
            }
        }
    }

    /// The version of the store; 0 for a file that has none yet.
    func version(in snapshot: Snapshot) throws -> Int {
        guard try collections.info.exists(in: snapshot),
            let schema = try collections.info.get("schema", in: snapshot)
        else { return 0 }
        guard let version = schema["version"]?.int, version > 0 else {
            throw ServerStoreError(
                .notReadable, "vpn.info/schema says no version: another program has changed it")
        }
        return Int(clamping: version)
    }
}
