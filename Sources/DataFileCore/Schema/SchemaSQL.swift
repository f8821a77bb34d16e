import SQLCore

/// The SQL text that is part of the file format: tables, columns, and their names.
///
/// LiteCore compares some of it letter by letter, so nothing here is reworded.
enum SchemaSQL {
    /// The schema that new files have, and the only one that is written.
    static let currentVersion = 503
    /// The oldest schema that is read: Couchbase Lite 2.0.
    static let oldestReadable = 201
    /// The newest schema that is read.
    static let newestReadable = 599

    /// The table of what is known of each KeyStore.
    static let createMeta =
        "CREATE TABLE IF NOT EXISTS kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0, "
        + "purgeCnt INTEGER DEFAULT 0) WITHOUT ROWID"

    /// A table of records, and its index.
    static func createStore(table: String) -> [String] {
        let name = table.sqlName
        let index = (table + "_expiration").sqlName
        return [
            "CREATE TABLE IF NOT EXISTS \(name) (  key TEXT PRIMARY KEY,  sequence INTEGER,"
                + "  flags INTEGER DEFAULT 0,  version BLOB,  body BLOB,  expiration INTEGER,"
                + "  extra BLOB)",
            "CREATE INDEX IF NOT EXISTS \(index) ON \(name) (expiration) "
                + "WHERE expiration not null",
        ]
    }

    /// Settings of every connection.
    static let connectionPragmas = """
        PRAGMA cache_size=-10240; PRAGMA mmap_size=0; PRAGMA synchronous=normal; \
        PRAGMA journal_size_limit=5242880; PRAGMA case_sensitive_like=true; \
        PRAGMA fullfsync=on; PRAGMA secure_delete=off; PRAGMA foreign_keys=off; \
        PRAGMA trusted_schema=off
        """

    /// What a new file needs before its first table.
    static let newFilePragmas = "PRAGMA auto_vacuum=incremental; PRAGMA journal_mode=WAL"

    /// The names of all tables, views and virtual tables aside: those can run what they like.
    static let tableNames = "SELECT name FROM sqlite_master WHERE type='table' AND rootpage > 0"

    /// Whether there is a table of this name.
    static let tableExists = tableNames + " AND name = ?"

    /// The indexes of a file that has no table `indexes`: name, type, table.
    static let unregisteredIndexes = """
        SELECT name, 0, tbl_name FROM sqlite_master
        WHERE type='index' AND sql NOT NULL AND tbl_name GLOB 'kv_*'
            AND name NOT IN (\(ownIndexNames))
        ORDER BY tbl_name, name
        """

    /// The names of the indexes that a store makes for itself.
    private static let ownIndexNames = """
        tbl_name || '_expiration', tbl_name || '_seqs', tbl_name || '_conflicts', \
        tbl_name || '_blobs'
        """

    /// Triggers and indexes that call functions this version does not have.
    static let foreignIndexes = """
        SELECT name FROM sqlite_master
        WHERE type='trigger' OR (type='index' AND sql NOT NULL AND tbl_name GLOB 'kv_*'
            AND name NOT IN (\(ownIndexNames)))
        """
}

/// Keys of the raw store `info`.
enum InfoKey {
    static let publicUUID = "publicUUID"
    static let privateUUID = "privateUUID"
    static let versioning = "versioning"
    static let sharedKeys = "SharedKeys"
    /// The row up to which tombstones may still stand among the live records of the default
    /// collection; 0 when they have all been moved.
    static let unmovedTombstones = "maxRowidWithDeletedInDefault"
}
