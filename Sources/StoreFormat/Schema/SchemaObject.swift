package import SQLCore

/// A table, index, trigger or view of a file.
package struct SchemaObject: Hashable {
    package let type: String
    package let name: String
    /// The table that it belongs to; its own name if it is a table.
    package let table: String
    /// Nil for an index that SQLite makes for a key.
    package let sql: String?
    /// Whether it has pages of its own.
    package let hasPages: Bool

    /// All that the schema lists, by name.
    package static func all(in context: SQLContext) throws -> [SchemaObject] {
        var objects: [SchemaObject] = []
        try context.forEach(
            "SELECT type, name, tbl_name, sql, rootpage FROM main.sqlite_master ORDER BY name"
        ) { row in
            objects.append(
                SchemaObject(
                    type: row.text(at: 0) ?? "", name: row.text(at: 1) ?? "",
                    table: row.text(at: 2) ?? "", sql: row.text(at: 3),
                    hasPages: row.long(at: 4) > 0))
        }
        return objects
    }
}
