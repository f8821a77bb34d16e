public import SQLCore

/// What a schema holds under one name: a line of `sqlite_master`.
public struct TableInfo: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A table, virtual ones too.
        case table
        /// A view.
        case view
        /// An index.
        case index
        /// A trigger.
        case trigger
    }

    /// What it is.
    public let type: Kind
    /// Its name.
    public let name: String
    /// The table that it is, or belongs to.
    public let tableName: String
    /// The statement that made it; nil for the indexes that constraints make.
    public let sql: String?
}

/// What a table says of one of its columns: a line of `PRAGMA table_xinfo`.
public struct ColumnInfo: Hashable, Sendable {
    /// Its place among the columns; the first is 0.
    public let position: Int
    /// Its name.
    public let name: String
    /// The declared type as it was written; may be empty.
    public let type: String
    /// Whether it is declared `NOT NULL`.
    public let isNotNull: Bool
    /// The default value as SQL, nil for none.
    public let defaultSQL: String?
    /// Its place in the primary key, from 1; 0 if it is not part of it.
    public let primaryKeyPosition: Int
    /// Whether its value is computed from others.
    public let isGenerated: Bool
}

extension SQLContext {
    /// What the schema holds of these kinds, SQLite's own tables aside, by name.
    public func tables(
        types: [TableInfo.Kind] = [.table], inSchema schema: String? = nil
    ) throws -> [TableInfo] {
        let places = types.map { _ in "?" }.joined(separator: ", ")
        let rows = try selectAll(
            sql: "SELECT type, name, tbl_name, sql FROM "
                + qualifiedName("sqlite_master", inSchema: schema)
                + " WHERE type IN (\(places)) AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
                + " ORDER BY name",
            parameters: types.map { .text($0.rawValue) })
        return rows.compactMap { row in
            guard let type = row[0].textValue.flatMap(TableInfo.Kind.init(rawValue:)),
                let name = row[1].textValue, let table = row[2].textValue
            else { return nil }
            return TableInfo(type: type, name: name, tableName: table, sql: row[3].textValue)
        }
    }

    /// The columns of a table or view; none if it does not exist. `PRAGMA table_xinfo`
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
                // 2 is a virtual column, 3 a stored one; 1 is hidden in a virtual table.
                isGenerated: (row[6].longValue ?? 0) > 1)
        }
    }

    /// Whether there is a table of this name, in any case of its letters.
    public func tableExists(_ name: String, inSchema schema: String? = nil) throws -> Bool {
        let sql =
            "SELECT 1 FROM " + qualifiedName("sqlite_master", inSchema: schema)
            + " WHERE type = 'table' AND name = ? COLLATE NOCASE"
        return try selectValue(sql: sql, parameters: [.text(name)]) != nil
    }
}
