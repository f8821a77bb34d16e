internal import FleeceLite
internal import SQLCore
internal import StoreFormat

extension Transaction {
    /// Checks that this version can write the file and keep everything in it true.
    ///
    /// Throws `.cannotUpgradeDatabase`, `.unsupported`, `.wrongFormat` or `.corruptData`, saying
    /// what is in the way.
    func requireWritable() throws {
        // Without them triggers would take wrong values out of indexes.
        _ = try requireSharedKeys()
        let session = try session()
        try session.requireOwnSchema()
        guard !session.isKnownWritable else { return }
        let path = session.path
        let version = try session.context.schemaVersion()
        guard version == SchemaSQL.currentVersion else {
            let age = version < SchemaSQL.currentVersion ? "older" : "newer"
            throw StoreError(
                .cannotUpgradeDatabase,
                "\(path) has schema \(version), \(age) than \(SchemaSQL.currentVersion), the only "
                    + "one that is written; it can be read")
        }
        if sharedKeys.count == 0 { try requireNoLostKeys(path) }
        try loadModelPolicies()
        session.isKnownWritable = true
    }

    /// Checks that a file without shared keys has no bodies that use some: the first new keys
    /// would get the numbers of the lost ones, and old documents other names for their properties.
    private func requireNoLostKeys(_ path: String) throws {
        for name in try keyStoreNames() where name.isCollection {
            guard let table = try session().storeTables(name)?.live.name else { continue }
            let rows = try session().context.prepare(
                sql: "SELECT body FROM \(table) WHERE body NOT NULL LIMIT \(Self.sampledBodies)")
            while try rows.next() {
                let body = RawBody(rows.bytes(at: 0), sharedKeys: sharedKeys)
                guard body?.usesSharedKeys != true else {
                    throw StoreError(
                        .corruptData,
                        "\(path) has lost its shared keys (kv_info), so it is not written to; "
                            + "restore it from a backup")
                }
            }
        }
    }

    /// Where keys are shared nearly every document has one, so a few are enough to know.
    private static var sampledBodies: Int { 100 }
}
