internal import FleeceLite
package import SQLCore

/// The tables and indexes of a file by their names, so that one of many need not be looked for in
/// the whole schema each time.
package struct SchemaNames {
    /// Tables with rows of their own: neither views nor virtual tables.
    private var tables: Set<KeyText> = []
    /// The table of each index.
    private var indexes: [KeyText: String] = [:]

    /// Costs a pass over the schema.
    package init(_ context: SQLContext) throws {
        try context.forEach(SchemaSQL.tablesAndIndexes) { row in
            let name = KeyText(row.text(at: 0) ?? "")
            if let table = row.text(at: 1) {
                indexes[name] = table
            } else {
                tables.insert(name)
            }
        }
    }

    package func hasTable(_ name: String) -> Bool { tables.contains(KeyText(name)) }

    /// The table that an index is of; nil for other names.
    package func table(ofIndex name: String) -> String? { indexes[KeyText(name)] }

    package func hasIndex(_ name: String, on table: String) -> Bool {
        indexes[KeyText(name)]?.hasSameBytes(as: table) == true
    }
}
