public import SQLCore

/// An object of a schema: a row of `sqlite_master`. `SQLContext.tables(types:inSchema:)` returns
/// it.
public struct TableInfo: Hashable, Sendable {
    /// The type of a schema object; its raw value is that of the column `type` of `sqlite_master`.
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
    /// The statement that created it, as SQLite stores it; nil for the indexes of constraints.
    public let sql: String?
}

/// A column of a table: a row of `PRAGMA table_xinfo`.
///
/// It is the column in the file; the declaration of a type is a ``SQLColumn``.
///
/// ```swift
/// let inFile = try database.columns(for: "PLAYER").map(\.name)
/// let missing = Player.table.columns.filter { !inFile.contains($0.name) }
/// ```
public struct ColumnInfo: Hashable, Sendable {
    /// The position of the column; the first is 0.
    public let position: Int
    /// The name of the column.
    public let name: String
    /// The declared type as written; may be empty.
    public let type: String
    /// Whether it is declared `NOT NULL`. False for an `INTEGER PRIMARY KEY`, which is never null
    /// nevertheless.
    public let isNotNull: Bool
    /// The default value as SQL, such as `0` or `'none'`; nil for none.
    public let defaultSQL: String?
    /// The position in the primary key, from 1; 0 if it is not part of it.
    public let primaryKeyPosition: Int
    /// Whether it is a generated column.
    public let isGenerated: Bool
}

extension SQLContext {
    /// Returns the objects of these types, except for SQLite's own tables, ordered by name.
    ///
    /// ```swift
    /// for table in try database.tables() { use(table.name, table.sql ?? "") }
    /// let indexes = try database.tables(types: [.index]).filter { $0.tableName == "PLAYER" }
    /// ```
    /// - Parameters:
    ///   - types: The types of the objects (default: tables).
    ///   - schema: The attached database; nil for `main`.
    /// - Returns: The objects; the shadow tables of virtual tables are among them.
    /// - Throws: `SQLError`, for example if the schema does not exist.
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
    ///
    /// ```swift
    /// let keys = try database.columns(for: "SEASON").filter { $0.primaryKeyPosition > 0 }
    /// ```
    /// - Parameters:
    ///   - table: The name, which is not case-sensitive.
    ///   - schema: The attached database; nil for the first one that has the table.
    /// - Returns: The columns in their order, with generated ones, without the hidden columns of a
    ///   virtual table.
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

    /// Returns whether a table of this name exists; the name is not case-sensitive. A view does not
    /// count.
    ///
    /// ```swift
    /// let isNew = try !database.tableExists("PLAYER")
    /// ```
    /// - Parameters:
    ///   - name: The name of the table.
    ///   - schema: The attached database; nil for `main`.
    public func tableExists(_ name: String, inSchema schema: String? = nil) throws -> Bool {
        let sql =
            "SELECT 1 FROM " + qualifiedName("sqlite_master", inSchema: schema)
            + " WHERE type = 'table' AND name = ? COLLATE NOCASE"
        return try selectValue(sql: sql, parameters: [.text(name)]) != nil
    }
}
