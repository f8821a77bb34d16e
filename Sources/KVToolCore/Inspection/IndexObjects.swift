package import DocumentStore
package import SQLCore
internal import StoreTools

/// The SQLite tables, triggers and indexes that make up an index.
package struct IndexObjects: Sendable {
    /// An object of the SQLite schema.
    struct Object: Sendable {
        let type: String
        let name: String
        /// The table that the object belongs to.
        let table: String
        /// The SQL statement; nil for an object that SQLite created automatically.
        let sql: String?
        var rows: Int?
        var bytes: Int?
    }

    /// The index first, then its tables from the innermost to the outermost, then their triggers.
    private(set) var all: [Object] = []
    /// The table with the rows of the index; nil for a value index, and if the table is missing.
    private(set) var table: String?

    package init(_ index: IndexInfo, _ snapshot: Snapshot) throws {
        var objects = try snapshot.schemaObjects("type='index' AND name=?1", index.name)
        let registered = try snapshot.storedIndexes().first {
            $0.name.utf8.elementsEqual(index.name.utf8)
        }
        table = index.kind == .value ? nil : objects.first?.table ?? registered?.table
        var next = table
        var seen: Set<String> = []
        for name in index.vectorTables where seen.insert(name).inserted {
            objects += try snapshot.schemaObjects("type='table' AND name=?1", name)
        }
        while let name = next, seen.insert(name).inserted {
            let parts = try snapshot.schemaObjects("type='table' AND name=?1", name)
            objects += parts
            if index.kind == .fullText { objects += try snapshot.fullTextSources(of: name) }
            next = index.kind == .array ? parts.first?.parentTable : nil
        }
        for name in seen {
            let start = "type='trigger' AND substr(name, 1, length(?1) + 2) = ?1 || '::'"
            objects += try snapshot.schemaObjects(start, name)
        }
        all = try objects.map { try snapshot.measured($0) }
    }

    /// The total size in bytes; nil if SQLite cannot determine it.
    var bytes: Int? {
        let known = all.compactMap(\.bytes)
        return known.isEmpty ? nil : known.reduce(0, +)
    }

    /// The number of rows of the index.
    var rows: Int? { all.first { $0.rows != nil }?.rows }
}

extension IndexObjects.Object {
    /// The outer table of a nested array index; nil if this is the outermost.
    fileprivate var parentTable: String? {
        guard let sql, let start = sql.firstRange(of: "REFERENCES ") else { return nil }
        let rest = sql[start.upperBound...]
        guard let end = rest.firstRange(of: "(rowid)") else { return nil }
        let name = rest[..<end.lowerBound].filter { $0 != "\"" }
        return name.hasPrefix("kv_") ? nil : String(name)
    }
}

extension Snapshot {
    /// The schema objects that meet a condition, in which `?1` is a name.
    fileprivate func schemaObjects(
        _ condition: String, _ name: String
    ) throws -> [IndexObjects.Object] {
        var objects: [IndexObjects.Object] = []
        let sql =
            "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE \(condition) ORDER BY name"
        try sqlRows(sql, [.text(name)]) { row in
            objects.append(
                IndexObjects.Object(
                    type: row.value(at: 0).textValue ?? "", name: row.value(at: 1).textValue ?? "",
                    table: row.value(at: 2).textValue ?? "", sql: row.value(at: 3).textValue))
            return true
        }
        return objects
    }

    /// The shadow tables in which FTS4 stores the full-text index.
    fileprivate func fullTextSources(of table: String) throws -> [IndexObjects.Object] {
        try ["_content", "_segments", "_segdir", "_docsize", "_stat"].flatMap { suffix in
            try schemaObjects("type='table' AND name=?1", table + suffix)
        }
    }

    /// Adds the size, and the number of rows for a table or an index.
    fileprivate func measured(_ object: IndexObjects.Object) throws -> IndexObjects.Object {
        guard object.type != "trigger" else { return object }
        var object = object
        // SQLite may be compiled without dbstat, and a virtual table has no pages.
        let sql = """
            SELECT sum(pgsize), sum(CASE WHEN ?2 OR pagetype='leaf' THEN ncell ELSE 0 END)
            FROM dbstat WHERE name=?1
            """
        let isIndex: SQLValue = .long(object.type == "index" ? 1 : 0)
        try? sqlRows(sql, [.text(object.name), isIndex]) { row in
            object.bytes = row.value(at: 0).integerValue
            object.rows = row.value(at: 1).integerValue
            return false
        }
        if object.type == "table", object.sql != nil {
            try? sqlRows("SELECT count(*) FROM \(SQLText.name(object.name))") { row in
                object.rows = row.value(at: 0).integerValue
                return false
            }
        }
        return object
    }
}

/// Quotes names in SQL.
enum SQLText {
    /// A quoted name, with its quotes escaped.
    static func name(_ name: String) -> String {
        var text = "\""
        for scalar in name.unicodeScalars {
            text.unicodeScalars.append(scalar)
            if scalar == "\"" { text.unicodeScalars.append(scalar) }
        }
        return text + "\""
    }
}

extension SQLValue {
    /// The integer, or nil for another type.
    package var integerValue: Int? { longValue.map { Int(clamping: $0) } }
}
