package import SQLCore

/// One table of a KeyStore, in a file that may be of any version.
package struct StoreTable {
    package let store: KeyStoreName
    /// Whether it is the one for tombstones.
    package let isDead: Bool
    /// As SQLite has it, not quoted.
    package let name: String
    package let columns: Set<String>

    /// Reads a table's name; nil if it is not one of a store.
    package static func store(ofTable name: String) -> (store: KeyStoreName, isDead: Bool)? {
        if let store = KeyStoreName(tableName: name) { return (store, false) }
        guard let store = KeyStoreName(deadTableName: name) else { return nil }
        return (store, true)
    }

    /// A row of the raw store `info`, nil if there is none.
    ///
    /// Only a real table is asked: a view can run whatever its maker likes.
    package static func info(_ key: String, in context: SQLContext) throws -> [UInt8]? {
        let columns = try context.columns(ofTable: KeyStoreName.info.tableName)
        guard columns?.isSuperset(of: ["key", "body"]) == true else { return nil }
        return try context.selectValue(
            sql: SchemaSQL.getInfo, parameters: [.text(key)])?.bytesValue
    }

    /// The tables of all stores, sorted.
    package static func all(in context: SQLContext) throws -> [StoreTable] {
        let names = try context.selectAll(sql: SchemaSQL.tableNames)
            .compactMap { $0.first?.textValue }
        return try names.compactMap { name in
            guard let (store, isDead) = store(ofTable: name) else { return nil }
            return StoreTable(
                store: store, isDead: isDead, name: name,
                columns: try context.columns(ofRealTable: name))
        }.sorted { ($0.store.rawName, $0.name) < ($1.store.rawName, $1.name) }
    }
}
