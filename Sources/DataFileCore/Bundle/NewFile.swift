package import SQLCore
package import StoreFormat

/// Makes the tables and rows that LiteCore needs to accept a file as its own.
package enum NewFile {
    /// Fills an empty database; one that has tables is left as it is.
    package static func create(
        in context: SQLContext, pageSize: Int, versioning: Versioning = .versionVectors
    ) throws {
        guard try isEmpty(context) else { return }
        // Before the first table, and outside a transaction, or it has no effect.
        try context.exec(sql: SchemaSQL.newFilePragmas(pageSize: pageSize))
        try context.transaction(.immediate) {
            // Another process may have come first.
            guard try isEmpty(context) else { return }
            try createTables(in: context, versioning)
            try context.exec(sql: "PRAGMA user_version=\(SchemaSQL.currentVersion)")
        }
    }

    /// Whether nothing was stored in it yet.
    static func isEmpty(_ context: SQLContext) throws -> Bool {
        try context.schemaVersion() == 0
            && context.selectValue(sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
    }

    private static func createTables(
        in context: SQLContext, _ versioning: Versioning
    ) throws {
        try context.exec(sql: SchemaSQL.createMeta)
        let names = KeyStoreName.self
        let tables = [
            names.default.tableName, names.default.deadTableName, names.info.tableName,
        ]
        for sql in tables.flatMap({ SchemaSQL.createStore(table: $0) }) {
            try context.exec(sql: sql)
        }
        let rows: [(String, [UInt8])] = [
            (InfoKey.publicUUID, UUIDBytes.random()),
            (InfoKey.privateUUID, UUIDBytes.random()),
            (InfoKey.versioning, versioning.stored),
            (InfoKey.unmovedTombstones, BigEndian.bytes(0)),
        ]
        for (key, body) in rows {
            try context.exec(sql: SchemaSQL.putInfo, parameters: [.text(key), .blob(body)])
        }
    }
}
