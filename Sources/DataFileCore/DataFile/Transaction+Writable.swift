internal import FleeceLite
internal import SQLCore
internal import StoreFormat

extension Transaction {
    /// Checks that this version can write the file and keep everything in it consistent.
    ///
    /// - Parameter trustsSchema: whether triggers of other programs are allowed.
    /// - Throws: `.cannotUpgradeDatabase`, `.unsupported`, `.wrongFormat` or `.corruptData` with
    ///   the reason.
    func requireWritable(trustsSchema: Bool) throws {
        // Without missing functions, triggers would remove wrong values from indexes.
        _ = try requireSharedKeys()
        let connection = try connection()
        if !trustsSchema, connection.ownSchema != connection.schemaToken {
            try connection.requireOwnSchema()
            connection.ownSchema = connection.schemaToken
        }
        guard connection.writableState != connection.token else { return }
        let path = connection.path
        let version = try connection.context.schemaVersion()
        guard version == SchemaSQL.currentVersion else {
            let age = version < SchemaSQL.currentVersion ? "older" : "newer"
            throw StoreError(
                .cannotUpgradeDatabase,
                "\(path) can only be read: it has schema \(version), \(age) than "
                    + "\(SchemaSQL.currentVersion), the schema that this version writes")
        }
        if sharedKeys.count == 0 { try requireNoLostKeys(path) }
        try loadModelPolicies()
        connection.writableState = connection.token
    }

    /// Checks that a file without shared keys has no bodies that use them: new keys would get the
    /// numbers of the lost ones, which would rename the properties of old documents.
    private func requireNoLostKeys(_ path: String) throws {
        for name in try keyStoreNames() where name.isCollection {
            guard let table = try connection().storeTables(name)?.live.name else { continue }
            let rows = try connection().context.prepare(
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
