public import SQLCore

/// An object of a schema: a row of `sqlite_master`.
public struct TableInfo: Hashable, Sendable {
    /// The type of a schema object.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A table, including virtual tables.
        case table
        /// A view.
        case view
        /// An index.
        case index
        /// A trigger.
        case trigger
    }

    /// The type of the object.
    public let type: Kind
    /// The name of the object.
    public let name: String
    /// The table that it is, or belongs to.
    public let tableName: String
    /// The statement that created it; nil for the indexes of constraints.
    public let sql: String?
}

/// A column of a table: a row of `PRAGMA table_xinfo`.
public struct ColumnInfo: Hashable, Sendable {
    /// The position of the column; the first is 0.
    public let position: Int
    /// The name of the column.
    public let name: String
    /// The declared type as written; may be empty.
    public let type: String
    /// Whether it is declared `NOT NULL`.
    public let isNotNull: Bool
    /// The default value as SQL; nil for none.
    public let defaultSQL: String?
    /// The position in the primary key, from 1; 0 if it is not part of it.
    public let primaryKeyPosition: Int
    /// Whether it is a generated column.
    public let isGenerated: Bool
}

extension SQLContext {
    /// Returns the objects of these types, except for SQLite's own tables, ordered by name.
    public func tables(
        types: [TableInfo.Kind] = [.table], inSchema schema: String? = nil
    ) throws -> [TableInfo] {
        let placeholders = types.map { _ in "?" }.joined(separator: ", ")
        let rows = try selectAll(
            sql: "SELECT type, name, tbl_name, sql FROM "
                + qualifiedName("sqlite_master", inSchema: schema)
                + " WHERE type IN (\(placeholders)) AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
                + " ORDER BY name",
            parameters: types.map { .text($0.rawValue) })
        return rows.compactMap { row in
            guard let type = row[0].textValue.flatMap(TableInfo.Kind.init(rawValue:)),
                let name = row[1].textValue, let table = row[2].textValue
            else { return nil }
            return TableInfo(type: type, name: name, tableName: table, sql: row[3].textValue)
        }
    }

    /// Returns the columns of a table or view; none if it does not exist. `PRAGMA table_xinfo`
    public func columns(for table: String, in schema: String? = nil) throws -> [ColumnInfo] {
        let rows = try selectAll(
            sql: "SELECT cid, name, type, \"notnull\", dflt_value, pk, hidden FROM "
                + "pragma_table_xinfo(?1, ?2) WHERE hidden <> 1",
            parameters: [.text(table), SQLValue(schema)])
        return rows.map { row in
            ColumnInfo(
                position: Int(row[0].longValue ?? 0), name: row[1].textValue ?? "",
                type: row[2].textValue ?? "", isNotNull: row[3].longValue == 1,
                defaultSQL: row[4].textValue, primaryKeyPosition: Int(row[5].longValue ?? 0),
                // 2 is a virtual generated column, 3 a stored one; 1 is a hidden column of a
                // virtual table.
                isGenerated: (row[6].longValue ?? 0) > 1)
        }
    }

    /// Returns whether a table of this name exists; the name is not case-sensitive.
    public func tableExists(_ name: String, inSchema schema: String? = nil) throws -> Bool {
        let sql =
            "SELECT 1 FROM " + qualifiedName("sqlite_master", inSchema: schema)
            + " WHERE type = 'table' AND name = ? COLLATE NOCASE"
        return try selectValue(sql: sql, parameters: [.text(name)]) != nil
    }
}
