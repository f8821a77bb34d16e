internal import FleeceLite
internal import SQLCore
internal import StoreFormat

extension Transaction {
    /// Checks that this version can write the file and keep everything in it consistent.
    ///
    /// Throws `.cannotUpgradeDatabase`, `.unsupported`, `.wrongFormat` or `.corruptData` with the
    /// reason.
    func requireWritable() throws {
        // Without missing functions, triggers would remove wrong values from indexes.
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
                "\(path) can only be read: it has schema \(version), \(age) than "
                    + "\(SchemaSQL.currentVersion), the schema that this version writes")
        }
        if sharedKeys.count == 0 { try requireNoLostKeys(path) }
        try loadModelPolicies()
        session.isKnownWritable = true
    }

    /// Checks that a file without shared keys has no bodies that use them: new keys would get the
    /// numbers of the lost ones, which would rename the properties of old documents.
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

    /// If keys are shared, nearly every document uses one, so a small sample is sufficient.
    private static var sampledBodies: Int { 100 }
}
