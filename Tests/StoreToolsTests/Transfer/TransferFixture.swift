import DataFileCore
import FleeceLite
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import StoreTools

/// Copies the contents of one file to another, as `dump` and `load` of a tool do.
enum TransferFixture {
    /// Options that disable maintenance.
    static func options(
        _ access: DataFileOptions.Access = .create, _ versioning: Versioning = .versionVectors
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.maintenance = false
        options.versioning = versioning
        return options
    }

    /// Copies all rows of all stores, their counts, and the indexes.
    static func copy(_ source: DataFile, to target: DataFile, indexes: Bool = true) throws {
        try source.read { snapshot in
            try target.write { transaction in
                try transaction.restore(
                    info: rows(of: KeyStore(.info), in: snapshot), replacingOthers: true)
                for name in try snapshot.keyStoreNames() where name != .info {
                    let store = KeyStore(name)
                    try store.create(in: transaction)
                    for row in try rows(of: store, in: snapshot) {
                        try transaction.putStoredRow(row, in: store)
                    }
                }
                try transaction.restore(meta: snapshot.kvmetaRows())
                guard indexes else { return }
                for index in try snapshot.storedIndexes() { try transaction.createIndex(index) }
            }
        }
    }

    /// All rows of a store.
    static func rows(
        of store: KeyStore, in snapshot: Snapshot
    ) throws -> [StoreTools.StoredRow] {
        var rows: [StoreTools.StoredRow] = []
        try store.forEachStoredRow(in: snapshot) { row in
            rows.append(row.copy())
            return true
        }
        return rows
    }

    /// The rows of all tables of records and of `kvmeta`, by table, read by the tests' own SQL.
    static func tables(_ path: String) throws -> [String: [[SQLValue]]] {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        var tables: [String: [[SQLValue]]] = [:]
        for table in try StoreTable.all(in: context) {
            let columns = SchemaSQL.storeColumns.map { table.columns.contains($0) ? $0 : "NULL" }
            let rows = try context.selectAll(
                sql: "SELECT \(columns.joined(separator: ", ")) FROM \(table.name.sqlName) "
                    + "ORDER BY key")
            // Older files lack tables that newer ones have, as long as these are empty.
            if !rows.isEmpty { tables[table.name] = rows }
        }
        let purges = try context.columns(ofTable: "kvmeta")?.contains("purgeCnt") == true
        tables["kvmeta"] = try context.selectAll(
            sql: "SELECT name, lastSeq, \(purges ? "purgeCnt" : "0") FROM kvmeta ORDER BY name")
        return tables
    }

    /// The documents of all collections as canonical JSON, deleted ones as `deleted`.
    static func documents(_ file: DataFile) throws -> [String: String] {
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        return try file.read { snapshot in
            var documents: [String: String] = [:]
            for name in try snapshot.collectionNames() {
                try DocumentCollection(name).forEach(options, in: snapshot) { result in
                    let document = try result.get()
                    var writer = JSONWriter(options: .init(canonical: true))
                    try document.write(to: &writer)
                    documents["\(name)/\(document.id)"] =
                        document.isDeleted ? "deleted" : writer.text.string
                }
            }
            return documents
        }
    }

    /// Saves, changes, deletes and lets expire documents at random, in two collections.
    static func fill(_ file: DataFile, _ random: inout SeededGenerator, rounds: Int) throws {
        let collections = [
            DocumentCollection(.default), DocumentCollection(try CollectionName("hr.Staff")),
        ]
        try file.write { transaction in
            for collection in collections { try collection.create(in: transaction) }
            for _ in 0..<rounds {
                let collection = random.pick(collections)
                let id = "doc-\(random.below(rounds / 3 + 1))"
                switch random.below(8) {
                case 0: _ = try collection.delete(id, in: transaction)
                case 1:
                    try collection.keyStore.setExpiration(
                        4_000_000_000_000 + Int64(random.below(1000)), of: id, in: transaction)
                case 2: _ = try collection.purge(id, in: transaction)
                default:
                    let json = """
                        {"n\(random.below(40))":\(random.below(100_000)),\
                        "name":"\(random.below(1_000))","tags":["a","\(random.below(9))"]}
                        """
                    _ = try collection.save(id, in: transaction) { try $0.writeJSON(json) }
                }
            }
            let raw = KeyStore(KeyStoreName("peerCheckpoints"))
            for number in 0..<3 {
                let record = RawRecord(
                    version: number == 1 ? [7] : [], body: [UInt8](repeating: 5, count: number))
                try raw.putRaw(record, for: "cp\(number)", in: transaction)
            }
        }
    }
}
