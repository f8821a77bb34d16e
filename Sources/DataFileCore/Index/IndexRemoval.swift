internal import SQLCore

/// Removes an index with all that belongs to it, in the transaction of the caller.
struct IndexRemoval {
    let context: SQLContext

    /// Removes an index: its row, its index of SQLite's own, and the tables that no other index
    /// uses.
    func remove(_ row: IndexRow, from registry: IndexRegistry) throws {
        try registry.remove(row.name)
        switch row.kind {
        case .fullText, .vector:
            if let table = row.table { try drop(table: table) }
        case .array:
            try dropIndex(row.name)
            if let table = row.table { try dropUnused(arrayTable: table, registry) }
        case .predictive:
            try dropIndex(row.name)
            if let table = row.table, try !registry.uses(table: table) { try drop(table: table) }
        case .value, nil: try dropIndex(row.name)
        }
    }

    /// Drops a table with the triggers that keep it; nothing if there is none.
    func drop(table: String) throws {
        for suffix in SchemaSQL.triggerSuffixes {
            try context.exec(sql: "DROP TRIGGER IF EXISTS main.\((table + "::" + suffix).sqlName)")
        }
        try context.exec(sql: "DROP TABLE IF EXISTS main.\(table.sqlName)")
    }

    private func dropIndex(_ name: String) throws {
        try context.exec(sql: "DROP INDEX IF EXISTS main.\(name.sqlName)")
    }

    /// Drops a table of an array's elements, and the ones around it, as far as no index uses them.
    private func dropUnused(arrayTable plainName: String, _ registry: IndexRegistry) throws {
        var level: String? = plainName
        while let name = level {
            guard try !registry.uses(arrayTable: name) else { return }
            try drop(table: ArrayTable.name(ofPlain: name))
            // Before LiteCore 3.2.1 the plain name was the table's own.
            try drop(table: name)
            level = ArrayTable.parent(ofPlain: name)
        }
    }
}
