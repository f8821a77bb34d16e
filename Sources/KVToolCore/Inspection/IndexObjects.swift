package import DocumentStore
package import SQLCore
internal import StoreTools

/// The tables, triggers and indexes of SQLite's own that an index consists of.
package struct IndexObjects: Sendable {
    /// One of them.
    struct Object: Sendable {
        let type: String
        let name: String
        /// The table that it belongs to.
        let table: String
        /// Nil for one that SQLite has made by itself.
        let sql: String?
        var rows: Int?
        var bytes: Int?
    }

    /// The index itself first, then its tables from the inside out, then their triggers.
    private(set) var all: [Object] = []
    /// The table in which its rows stand; nil for a value index, and if it is not there.
    private(set) var table: String?

    package init(_ index: IndexInfo, _ snapshot: Snapshot) throws {
        var objects = try snapshot.schemaObjects("type='index' AND name=?1", index.name)
        let registered = try snapshot.storedIndexes().first {
            $0.name.utf8.elementsEqual(index.name.utf8)
        }
        table = index.kind == .value ? nil : objects.first?.table ?? registered?.table
        var next = table
        var seen: Set<String> = []
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

    /// What all of them take up; nil if SQLite cannot say.
    var bytes: Int? {
        let known = all.compactMap(\.bytes)
        return known.isEmpty ? nil : known.reduce(0, +)
    }

    /// How many rows the index has.
    var rows: Int? { all.first { $0.rows != nil }?.rows }
}

extension IndexObjects.Object {
    /// The table that an array's table refers to, if that is one of an array, too.
    fileprivate var parentTable: String? {
        guard let sql, let start = sql.firstRange(of: "REFERENCES ") else { return nil }
        let rest = sql[start.upperBound...]
        guard let end = rest.firstRange(of: "(rowid)") else { return nil }
        let name = rest[..<end.lowerBound].filter { $0 != "\"" }
        return name.hasPrefix("kv_") ? nil : String(name)
    }
}

extension Snapshot {
    /// What of the schema meets a condition, in which `?1` stands for a name.
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

    /// The tables in which FTS4 keeps the words.
    fileprivate func fullTextSources(of table: String) throws -> [IndexObjects.Object] {
        try ["_content", "_segments", "_segdir", "_docsize", "_stat"].flatMap { suffix in
            try schemaObjects("type='table' AND name=?1", table + suffix)
        }
    }

    /// The same with its size, and with its rows if it is a table or an index.
    fileprivate func measured(_ object: IndexObjects.Object) throws -> IndexObjects.Object {
        guard object.type != "trigger" else { return object }
        var object = object
        // SQLite may have been compiled without it, and a virtual table has no pages.
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

/// Names in SQL.
enum SQLText {
    /// A name in quotes, whatever is in it.
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
    /// The integer, if it is one.
    package var integerValue: Int? { longValue.map { Int(clamping: $0) } }
}
