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
