internal import SQLCore
internal import StoreFormat

/// What an index consists of: things of the schema, as their SQL text.
package struct IndexSchema {
    /// Tables that must be there before the index, the outermost first.
    package var tables: [IndexTable] = []
    /// The index of SQLite's own on a table; nil if the last table is all.
    package var index: SQLiteIndex?
    /// What the registry says of it.
    package var row: IndexRow

    /// How many tables and indexes are made, for a report of progress.
    package var stepCount: Int { tables.count + (index == nil ? 0 : 1) }

    /// `CREATE INDEX`
    package struct SQLiteIndex {
        package let table: String
        package let expressions: [String]
        package let condition: String?

        package init(table: String, expressions: [String], condition: String?) {
            self.table = table
            self.expressions = expressions
            self.condition = condition
        }

        /// The text, in LiteCore's words.
        package func sql(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlIdentifier, on: table.sqlIdentifier, expressions, where: condition)
        }

        /// The text with all names in quotes, as LiteCore before 3.1 wrote it.
        package func quotedSQL(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlName, on: table.sqlName, expressions, where: condition)
        }
    }
}

/// A table that triggers keep, and that several indexes can share.
package struct IndexTable {
    package let name: String
    package let sql: String
    /// The table whose rows it is made of, quoted.
    package let source: String
    package let triggers: [Trigger]
    package let fill: Fill
    /// Whether its definition can change under the same name.
    let isShared: Bool

    /// A trigger, by its suffix and its text.
    package struct Trigger {
        package let name: String
        package let sql: String
    }

    /// `INSERT INTO … SELECT … FROM source AS alias … WHERE …`, without the range of rows.
    package struct Fill {
        let insert: String
        /// The alias of the source table, with a dot.
        let alias: String
        let condition: String?

        /// The statement for the source's rows from one number to another.
        package var sql: String {
            insert + " WHERE " + (condition.map { "(\($0)) AND " } ?? "")
                + "\(alias)rowid BETWEEN ? AND ?"
        }
    }
}
