internal import FleeceLite
package import SQLCore
internal import StoreFormat
internal import VectorIndex

/// The table `indexes`, in which a file registers its indexes.
///
/// Files of Couchbase Lite 2.0 and 2.1 lack the table, those of 2.5 to 3.1 some of its columns.
package struct IndexRegistry {
    let context: SQLContext
    private let path: String
    /// The table's columns; nil if the file has no such table.
    private let columns: Set<String>?

    /// Throws `.wrongFormat` if the table has another layout.
    package init(_ connection: Connection) throws {
        try self.init(connection.context, path: connection.path)
    }

    package init(_ context: SQLContext, path: String) throws {
        self.context = context
        self.path = path
        columns = try context.columns(ofTable: "indexes")
        guard columns?.isSuperset(of: ["name", "type", "keyStore"]) ?? true else {
            throw StoreError(
                .wrongFormat,
                "the table indexes of \(path) does not have the columns of a document store")
        }
    }

    /// All indexes, sorted by store and name.
    package func rows() throws -> [IndexRow] {
        let vectors = try VectorRegistry(context).rows()
        let others = try columns.map { try registered($0) } ?? discovered()
        guard !vectors.isEmpty else { return others }
        return (others + vectors).sorted {
            ($0.store.rawName, $0.name) < ($1.store.rawName, $1.name)
        }
    }

    /// The vector indexes whose options this version does not know.
    package func unsupportedVectorRows() throws -> [IndexRow] {
        try VectorRegistry(context).unsupportedRows()
    }

    private func registered(_ columns: Set<String>) throws -> [IndexRow] {
        let later = ["expression", "whereClause", "indexTableName", "lastSeq"]
        let list = later.map { columns.contains($0) ? $0 : "NULL" }.joined(separator: ", ")
        var rows: [IndexRow] = []
        try context.forEach(
            "SELECT name, type, keyStore, \(list) FROM main.indexes ORDER BY keyStore, name"
        ) { row in
            rows.append(
                IndexRow(
                    name: row.text(at: 0) ?? "",
                    kind: IndexInfo.Kind(rawValue: Int(row.long(at: 1))),
                    store: KeyStoreName(row.text(at: 2) ?? ""), expression: row.text(at: 3),
                    condition: row.text(at: 4), table: row.text(at: 5),
                    lastSequences: row.text(at: 6)))
        }
        return rows
    }

    /// All indexes; empty if a table of another program has the registry's name.
    package static func rowsIfReadable(in context: SQLContext, path: String) throws -> [IndexRow] {
        do {
            return try IndexRegistry(context, path: path).rows()
        } catch let error as StoreError where error.has(.wrongFormat) {
            return []
        }
    }

    /// The index with a name. Names are compared by their bytes.
    package func row(_ name: String) throws -> IndexRow? {
        try rows().first { $0.name.hasSameBytes(as: name) }
    }

    /// The indexes of a file without the table, found in the schema: such files have only value and
    /// full-text indexes.
    private func discovered() throws -> [IndexRow] {
        var rows: [IndexRow] = []
        try context.forEach(SchemaSQL.unregisteredIndexes) { row in
            guard let store = KeyStoreName(tableName: row.text(at: 2) ?? "") else { return }
            rows.append(.discovered(row.text(at: 0) ?? "", .value, store, table: nil))
        }
        try context.forEach(SchemaSQL.fullTextTables) { row in
            let table = row.text(at: 0) ?? ""
            guard let parts = FullTextTable.parts(ofName: table) else { return }
            rows.append(.discovered(parts.index, .fullText, parts.store, table: table))
        }
        return rows.sorted { ($0.store.rawName, $0.name) < ($1.store.rawName, $1.name) }
    }
}

extension IndexRow {
    fileprivate static func discovered(
        _ name: String, _ kind: IndexInfo.Kind, _ store: KeyStoreName, table: String?
    ) -> IndexRow {
        IndexRow(
            name: name, kind: kind, store: store, expression: nil, condition: nil, table: table,
            lastSequences: nil)
    }
}

// Changes, in the caller's transaction, on a file of the current schema.
extension IndexRegistry {
    /// Creates the table if it is missing, and registers the indexes found without it.
    func create() throws {
        guard columns == nil else { return }
        let found = try discovered()
        try context.exec(sql: SchemaSQL.createIndexes)
        for row in found { try add(row) }
    }

    /// Adds an index. Call `create` first.
    func add(_ row: IndexRow) throws {
        if row.vectorOptions != nil { return try VectorRegistry(context).add(row) }
        try context.run(
            SchemaSQL.addIndex,
            [
                .text(row.name), .long(Int64(row.kind?.rawValue ?? 0)), .text(row.store.rawName),
                SQLValue(text: row.expression), SQLValue(text: row.condition),
                SQLValue(text: row.table), SQLValue(text: row.lastSequences),
            ])
    }

    func remove(_ name: String) throws {
        try VectorRegistry(context).remove(name)
        guard columns != nil else { return }
        try context.run("DELETE FROM main.indexes WHERE name=?", [.text(name)])
    }

    /// Whether the table of an array, or one of its inner tables, belongs to an index.
    func uses(arrayTable plainName: String) throws -> Bool {
        try rows().contains { row in
            guard row.kind == .array, let table = row.table else { return false }
            return table.hasSameBytes(as: plainName)
                || table.utf8.starts(with: (plainName + "[].").utf8)
        }
    }

    /// Whether a table belongs to an index.
    func uses(table: String) throws -> Bool {
        try rows().contains { $0.table?.hasSameBytes(as: table) == true }
    }
}

extension SQLValue {
    init(text: String?) {
        self = text.map { .text($0) } ?? .null
    }
}
