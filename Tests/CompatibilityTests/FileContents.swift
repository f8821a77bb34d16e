import DocumentStore
import SQLCore
import StoreTestSupport

/// The complete contents of a closed database file, as SQLite itself returns them; its indexes
/// have been compared with its documents.
struct FileContents {
    /// The values of a row by column name; the rowid is the column `rowid`.
    typealias Row = [String: SQLValue]

    /// The rows by table, and by key; by position in tables that have no key.
    private(set) var tables: [String: [String: Row]] = [:]
    /// The SQL texts of the schema.
    let schema: [[SQLValue]]
    /// The shared keys, which the numbers in bodies refer to.
    let sharedKeys: SharedKeys

    init(_ path: String) throws {
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        let problems = try IndexOracle(path).problems
        guard problems.isEmpty else {
            throw StoreError(.corruptData, path + ": " + problems.joined(separator: "; "))
        }
        schema = try context.selectAll(
            sql: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name")
        // A virtual table shows the contents of other tables.
        let names = schema.filter {
            $0[0] == .text("table") && $0[3].textValue?.hasPrefix("CREATE VIRTUAL") != true
        }
        var tables: [String: [String: Row]] = [:]
        for name in names.compactMap({ $0[1].textValue }) {
            tables[name] = try Self.rows(of: name, in: context)
        }
        self.tables = tables
        let state = tables["kv_info"]?["SharedKeys"]?["body"]?.bytesValue
        sharedKeys = try state.map { try SharedKeys(state: $0) } ?? SharedKeys()
    }

    private static func rows(of table: String, in context: SQLContext) throws -> [String: Row] {
        let text = try context.selectValue(
            sql: "SELECT sql FROM sqlite_master WHERE name = ?", parameters: [.text(table)])
        let isNumbered = text?.textValue?.hasSuffix("WITHOUT ROWID") != true
        let statement = try context.prepare(
            sql: "SELECT \(isNumbered ? "rowid AS rowid, " : "")* FROM \(table.sqlName)")
        var rows: [String: Row] = [:]
        while let values = try statement.nextValues() {
            let row = Row(zip(statement.columnNames, values)) { first, _ in first }
            let key = table.hasPrefix("kv") ? (row["key"] ?? row["name"])?.textValue : nil
            rows[key ?? "row \(rows.count)"] = row
        }
        return rows
    }

    /// The rows without those of some keys in the tables of collections, to compare the others.
    ///
    /// Index tables, which change with the documents, are left out: they are compared with these.
    func without(_ keys: Set<String>) -> [String: [String: Row]] {
        tables.filter { table, _ in
            let isHash = table.count == 40 && table.allSatisfy(\.isHexDigit)
            return !["kv_info", "kvmeta"].contains(table) && !table.contains(":") && !isHash
        }.mapValues { rows in
            rows.filter { !keys.contains($0.key) }
        }
    }
}

/// The row of a document or tombstone.
struct StoredRow {
    let collection: String
    let table: String
    let isInTombstoneTable: Bool
    let values: FileContents.Row

    /// Identifies the document among those of all collections.
    var id: String { "\(collection)/\(key)" }
    var key: String { values["key"]?.textValue ?? "" }
    var sequence: Int64 { values["sequence"]?.longValue ?? -1 }
    var flags: Int64 { values["flags"]?.longValue ?? -1 }
    var version: [UInt8] { values["version"]?.bytesValue ?? [] }
    /// The value of the column `body`, in the row's format.
    var bodyColumn: [UInt8]? { values["body"]?.bytesValue }
    var extra: [UInt8]? { values["extra"]?.bytesValue }
    var isVector: Bool { version.first == 0 }
}

extension FileContents {
    /// The rows of all documents and tombstones of all collections.
    func documents() -> [String: StoredRow] {
        var found: [String: StoredRow] = [:]
        for (table, rows) in tables where !table.contains(":") {
            let plain = table.filter { $0 != "\\" }
            let isTombstone = plain.hasPrefix("kv_del_")
            let name = plain.dropFirst(isTombstone ? 7 : 3)
            guard plain.hasPrefix("kv_"), name == "default" || name.hasPrefix(".") else { continue }
            let collection = name == "default" ? "_default" : String(name.dropFirst())
            for values in rows.values {
                let row = StoredRow(
                    collection: collection, table: table, isInTombstoneTable: isTombstone,
                    values: values)
                found[row.id] = row
            }
        }
        return found
    }

    /// The revision tree of a row, decoded without the library.
    func tree(_ row: StoredRow) throws -> PlainTree {
        guard let extra = row.extra else {
            return try PlainTree(row.bodyColumn ?? [], rowSequence: row.sequence, body: nil)
        }
        return try PlainTree(extra, rowSequence: row.sequence, body: row.bodyColumn)
    }

    /// The Fleece data of the current revision.
    func body(_ row: StoredRow) throws -> [UInt8]? {
        let isTreeOnly = !row.isVector && row.extra == nil
        return isTreeOnly ? try tree(row).records.first?.body : row.bodyColumn
    }

    /// The properties as JSON with sorted keys, without whitespace.
    func canonicalJSON(_ body: [UInt8]?) throws -> String {
        guard let body, !body.isEmpty else { return "{}" }
        let document = try FleeceDocument(validating: body, sharedKeys: sharedKeys)
        return try Self.canonicalJSON(document.root)
    }

    /// A value as JSON with sorted keys, without whitespace.
    static func canonicalJSON(_ value: FleeceValue) throws -> String {
        var writer = JSONWriter(options: .init(canonical: true))
        try writer.write(value)
        return writer.text.string
    }
}
