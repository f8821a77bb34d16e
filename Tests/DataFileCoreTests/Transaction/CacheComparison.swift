import EngineTestSupport
import FleeceLite
import SQLCore
import StoreFormat
import Testing
@testable import DataFileCore

/// Compares every cache of a connection with the file, in the state that the connection sees.
struct CacheComparison {
    let stores: [KeyStoreName]
    /// The schema that each object with caches of queries belongs to; the objects are retained, so
    /// that their identities stay unique.
    private var schemas: [(queries: ConnectionQueries, schema: String)] = []

    init(_ stores: [KeyStoreName]) {
        self.stores = stores
    }

    /// - Parameter isClean: whether the connection has changed nothing in its transaction, so that
    ///   all counts are in the file.
    mutating func check(_ snapshot: Snapshot, isClean: Bool) throws {
        let connection = try snapshot.connection()
        let context = connection.context
        for name in stores { try check(name, snapshot, isClean: isClean) }
        if isClean { #expect(try snapshot.sharedKeys.keys == keys(context)) }
        if let transaction = snapshot as? Transaction {
            let depth = try number(InfoKey.maximumTreeDepth, context)
            #expect(try transaction.maximumTreeDepth() == depth ?? 50)
        }
        try checkSchema(connection)
        try checkFunctions(snapshot)
    }

    private func check(_ name: KeyStoreName, _ snapshot: Snapshot, isClean: Bool) throws {
        let connection = try snapshot.connection()
        let context = connection.context
        let store = KeyStore(name)
        let exists = try !columns(name.tableName, context).isEmpty
        #expect(try store.exists(in: snapshot) == exists, "\(name.rawName)")
        guard exists else { return }
        let tables = try store.tables(in: snapshot)
        #expect(
            try (tables.tombstones != nil)
                == (name.isCollection && !columns(name.tombstoneTableName, context).isEmpty))
        for table in [tables.live, tables.tombstones].compactMap(\.self) {
            let found = try columns(table.plainName, context)
            #expect(table.hasExpiration == found.contains("expiration"))
            #expect(table.hasExtra == found.contains("extra"))
        }
        for index in LazyIndex.allCases {
            let found =
                try context.selectValue(
                    sql: "SELECT 1 FROM sqlite_master WHERE type='index' AND name=?",
                    parameters: [.text(index.name(table: name.tableName))]) != nil
            #expect(try tables.has(index, tombstones: false, in: connection) == found)
        }
        guard isClean, name.isCollection else { return }
        try checkRows(tables, snapshot)
    }

    private func checkRows(_ tables: StoreTables, _ snapshot: Snapshot) throws {
        let connection = try snapshot.connection()
        let context = connection.context
        let (name, store) = (tables.name, KeyStore(tables.name))
        let last = try context.selectValue(
            sql: """
                SELECT max((SELECT ifnull(max(lastSeq), 0) FROM kvmeta WHERE name=?1),
                    (SELECT ifnull(max(sequence), 0) FROM \(tables.live.name)))
                """, parameters: [.text(name.rawName)])
        #expect(try .long(store.lastSequence(in: snapshot)) == last, "\(name.rawName)")
        let purges = try context.selectValue(
            sql: "SELECT ifnull(sum(purgeCnt), 0) FROM kvmeta WHERE name IN (?, ?)",
            parameters: [.text(name.rawName), .text(name.tombstoneStoreName)])
        #expect(try .long(store.purgeCount(in: snapshot)) == purges, "\(name.rawName)")
        let hasRows = try tables.tombstones.map {
            try context.selectValue(sql: "SELECT 1 FROM \($0.name) LIMIT 1") != nil
        }
        let known = try tables.hasTombstones(in: connection)
        // What may have tombstones is looked up, so true is not wrong, only slower.
        #expect(known || hasRows != true, "\(name.rawName)")
        let ids = try context.selectAll(
            sql: "SELECT key FROM \(tables.live.name) WHERE flags & 1 = 0 ORDER BY key")
        #expect(try store.keys(in: snapshot) == ids.map { $0[0].textValue ?? "" })
    }

    private mutating func checkSchema(_ connection: Connection) throws {
        let context = connection.context
        let schema = try context.selectAll(
            sql: "SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master ORDER BY 1, 2"
        ).map { $0.map { $0.textValue ?? "" }.joined(separator: "|") }.joined(separator: "\n")
        let queries = connection.queries
        if let known = schemas.first(where: { $0.queries === queries }) {
            #expect(known.schema == schema)
        } else {
            schemas.append((queries, schema))
        }
        let names = try connection.schemaNames()
        for row in try context.selectAll(
            sql: "SELECT name, tbl_name FROM sqlite_master WHERE type='index' AND sql NOT NULL")
        {
            #expect(names.table(ofIndex: row[0].textValue ?? "") == row[1].textValue)
        }
        if connection.schemaOfTriggers == connection.schemaToken {
            #expect(context.isTrusted == schema.contains("CREATE VIRTUAL TABLE"))
        }
    }

    /// The functions that SQL calls read bodies with the keys of the snapshot.
    private func checkFunctions(_ snapshot: Snapshot) throws {
        let context = try snapshot.connection().context
        try DocumentCollection(.default).forEach(in: snapshot) { result in
            let document = try result.get()
            for (key, value) in try #require(document.properties) {
                let found = try context.selectValue(
                    sql: "SELECT fl_value(body, ?) FROM kv_default WHERE key=?",
                    parameters: [.text(key), .text(document.id)])
                #expect(found == .long(value.int ?? -1), "\(document.id).\(key)")
            }
        }
    }

    private func keys(_ context: SQLContext) throws -> [String] {
        let row = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key=?", parameters: [.text(InfoKey.sharedKeys)])
        guard case .blob(let bytes)? = row else { return [] }
        return try SharedKeys(state: [UInt8](bytes)).keys
    }

    private func number(_ key: String, _ context: SQLContext) throws -> Int? {
        guard
            case .blob(let bytes)? = try context.selectValue(
                sql: "SELECT body FROM kv_info WHERE key=?", parameters: [.text(key)])
        else { return nil }
        return BigEndian.number([UInt8](bytes)).map { Int($0) }
    }

    private func columns(_ table: String, _ context: SQLContext) throws -> Set<String> {
        let rows = try context.selectAll(
            sql: "SELECT name FROM pragma_table_info(?)", parameters: [.text(table)])
        return Set(rows.map { $0[0].textValue ?? "" })
    }
}

extension SQLContext {
    fileprivate var isTrusted: Bool {
        (try? selectValue(sql: "PRAGMA trusted_schema")) == .long(1)
    }
}
