internal import SQLCore

/// What an index consists of: things of the schema, as their SQL text.
struct IndexSchema {
    /// Tables that must be there before the index, the outermost first.
    var tables: [IndexTable] = []
    /// The index of SQLite's own on a table; nil if the last table is all.
    var index: SQLiteIndex?
    /// What the registry says of it.
    var row: IndexRow

    /// How many tables and indexes are made, for a report of progress.
    var stepCount: Int { tables.count + (index == nil ? 0 : 1) }

    /// `CREATE INDEX`
    struct SQLiteIndex {
        let table: String
        let expressions: [String]
        let condition: String?

        /// The text, in LiteCore's words.
        func sql(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlIdentifier, on: table.sqlIdentifier, expressions, where: condition)
        }

        /// The text with all names in quotes, as LiteCore before 3.1 wrote it.
        func quotedSQL(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlName, on: table.sqlName, expressions, where: condition)
        }
    }
}

/// A table that triggers keep, and that several indexes can share.
struct IndexTable {
    let name: String
    let sql: String
    /// The table whose rows it is made of, quoted.
    let source: String
    let triggers: [Trigger]
    let fill: Fill
    /// Whether its definition can change under the same name.
    let isShared: Bool

    /// A trigger, by its suffix and its text.
    struct Trigger {
        let name: String
        let sql: String
    }

    /// `INSERT INTO … SELECT … FROM source AS alias … WHERE …`, without the range of rows.
    struct Fill {
        let insert: String
        /// The alias of the source table, with a dot.
        let alias: String
        let condition: String?

        /// The statement for the source's rows from one number to another.
        var sql: String {
            insert + " WHERE " + (condition.map { "(\($0)) AND " } ?? "")
                + "\(alias)rowid BETWEEN ? AND ?"
        }
    }
}
