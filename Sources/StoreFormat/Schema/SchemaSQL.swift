import SQLCore

/// The SQL text that is part of the file format: tables, columns, and their names.
///
/// LiteCore compares some of it character by character, so it must not be reworded.
package enum SchemaSQL {
    /// The schema version of new files, and the only one that can be written.
    package static let currentVersion = 503
    /// The oldest readable schema version: Couchbase Lite 2.0.
    package static let oldestReadable = 201
    /// The newest readable schema version.
    package static let newestReadable = 599

    /// The table of metadata about each KeyStore.
    package static let createMeta =
        "CREATE TABLE IF NOT EXISTS kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0, "
        + "purgeCnt INTEGER DEFAULT 0) WITHOUT ROWID"

    /// A record table and its expiration index.
    package static func createStore(table: String) -> [String] {
        [createTable(table), createExpirationIndex(table: table)]
    }

    /// A record table.
    package static func createTable(_ table: String) -> String {
        "CREATE TABLE IF NOT EXISTS \(table.sqlName) (  key TEXT PRIMARY KEY,  sequence INTEGER,"
            + "  flags INTEGER DEFAULT 0,  version BLOB,  body BLOB,  expiration INTEGER,"
            + "  extra BLOB)"
    }

    /// The index of a table's rows that have an expiration.
    package static func createExpirationIndex(table: String) -> String {
        "CREATE INDEX IF NOT EXISTS \(expirationIndex(table: table).sqlName) "
            + "ON \(table.sqlName) (expiration) WHERE expiration not null"
    }

    /// The name of the expiration index, not quoted.
    package static func expirationIndex(table: String) -> String { table + "_expiration" }

    /// The settings of every connection.
    ///
    /// `secure_delete` is on by default in Debian's SQLite, which costs a write of each freed page;
    /// it is off in LiteCore's.
    package static func connectionPragmas(
        cacheKilobytes: Int = 10_240, memoryMapBytes: Int = 0, synchronous: String = "normal"
    ) -> String {
        """
        PRAGMA cache_size=-\(max(cacheKilobytes, 1)); \
        PRAGMA mmap_size=\(max(memoryMapBytes, 0)); PRAGMA synchronous=\(synchronous); \
        PRAGMA journal_size_limit=5242880; PRAGMA case_sensitive_like=true; \
        PRAGMA fullfsync=on; PRAGMA secure_delete=off; PRAGMA foreign_keys=off; \
        PRAGMA recursive_triggers=off; PRAGMA trusted_schema=off
        """
    }

    /// The settings of a new file, made before its first table.
    package static func newFilePragmas(pageSize: Int) -> String {
        "PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=incremental; PRAGMA journal_mode=WAL"
    }

    /// Sets a store's last sequence: name, number.
    package static let setLastSequence = """
        INSERT INTO kvmeta (name, lastSeq) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET lastSeq = excluded.lastSeq
        """

    /// Adds to a store's purge count: name, number.
    package static let addPurges = """
        INSERT INTO kvmeta (name, purgeCnt) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET purgeCnt = ifnull(purgeCnt, 0) + excluded.purgeCnt
        """

    /// A store's purge count: name, name of its tombstone store.
    package static let purgeCount = "SELECT total(purgeCnt) FROM kvmeta WHERE name IN (?, ?)"

    /// Reads a row of the raw store `info`: key.
    package static let getInfo = "SELECT body FROM kv_info WHERE key=?"

    /// Writes a row of the raw store `info`: key, body.
    package static let putInfo = "INSERT OR REPLACE INTO kv_info (key, body) VALUES (?, ?)"

    /// Removes a row of the raw store `info`: key.
    package static let removeInfo = "DELETE FROM kv_info WHERE key=?"

    /// An index that is created when it is first needed: a unique one over all rows, or one over
    /// the rows that meet a condition.
    static func createLazyIndex(
        _ index: String, table: String, column: String, condition: String?
    ) -> String {
        let unique = condition == nil ? "UNIQUE " : ""
        let filter = condition.map { " WHERE \($0)" } ?? ""
        return "CREATE \(unique)INDEX \(index.sqlName) ON \(table.sqlName) (\(column))\(filter)"
    }

    /// The columns that every record table has had since 2.0.
    package static let oldestColumns = ["key", "sequence", "flags", "version", "body"]
    /// All columns of a record table. Their order does not matter: SQL always names them.
    package static let storeColumns = oldestColumns + ["expiration", "extra"]

    /// Changes made by upgrades, in LiteCore's wording, which becomes part of the table's text.
    package static let addPurgeCount = "ALTER TABLE kvmeta ADD COLUMN purgeCnt INTEGER DEFAULT 0"
    /// Columns of the table `indexes`, and the type of each.
    package static let laterIndexColumns = [("lastSeq", "TEXT"), ("whereClause", "TEXT")]
    /// Adds a column to a table.
    package static func addColumn(_ column: String, type: String, table: String) -> String {
        "ALTER TABLE \(table.sqlName) ADD COLUMN \(column) \(type)"
    }

    /// All tables and views, and whether each is a table with rows of its own: views and virtual
    /// tables can run arbitrary SQL or code.
    package static let tablesAndViews = """
        SELECT name, type='table' AND rootpage > 0 FROM main.sqlite_master
        WHERE type IN ('table', 'view') ORDER BY name
        """

    /// The object that has a name, ignoring case: its type, and the table it belongs to.
    package static let ownerOfName =
        "SELECT type, tbl_name FROM main.sqlite_master WHERE name = ? COLLATE NOCASE"

    /// The names of all triggers, and the table of each.
    package static let triggers =
        "SELECT name, tbl_name FROM main.sqlite_master WHERE type='trigger'"

    /// The names of all tables except views and virtual tables, which can run arbitrary code.
    package static let tableNames =
        "SELECT name FROM sqlite_master WHERE type='table' AND rootpage > 0"

    /// The names of all tables with rows of their own, and of all indexes with their tables.
    static let tablesAndIndexes = """
        SELECT name, CASE type WHEN 'index' THEN tbl_name END FROM main.sqlite_master
        WHERE type IN ('table', 'index') AND rootpage > 0
        """

    /// Whether a table of this name exists.
    package static let tableExists = tableNames + " AND name = ?"

    /// Whether an index of this name on this table exists.
    package static let indexExists =
        "SELECT 1 FROM main.sqlite_master WHERE type='index' AND name = ? AND tbl_name = ?"

    /// The indexes of a file without the table `indexes`: name, type, table.
    package static let unregisteredIndexes = """
        SELECT name, 0, tbl_name FROM sqlite_master
        WHERE type='index' AND sql NOT NULL AND tbl_name GLOB 'kv_*'
            AND NOT tbl_name GLOB '*:*' AND name NOT IN (\(ownIndexNames))
        ORDER BY tbl_name, name
        """

    /// The names of the indexes that a store creates for itself.
    private static let ownIndexNames = """
        tbl_name || '_expiration', tbl_name || '_seqs', tbl_name || '_conflicts', \
        tbl_name || '_blobs'
        """

    /// Whether a table may be a record table, ignoring case; names with a colon are index tables.
    package static func mayHoldRecords(table: String) -> Bool {
        let folded = table.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return folded.starts(with: "kv_".utf8) && !folded.contains(UInt8(ascii: ":"))
    }

    /// Everything in a record table that can refer to blobs, and the columns needed to check the
    /// row: `key`, `version`, `body`, `extra`, and `expiration` where it is a blob. Nil if the
    /// table has no column that refers to blobs.
    ///
    /// LiteCore's upgrade of 3.0 files puts revision trees into `expiration`.
    package static func blobReferences(inTable table: String, columns: Set<String>) -> String? {
        guard !columns.isDisjoint(with: ["body", "extra", "expiration"]) else { return nil }
        let names = ["key", "version", "body", "extra"].map { columns.contains($0) ? $0 : "NULL" }
        let expiration =
            columns.contains("expiration")
            ? "CASE typeof(expiration) WHEN 'blob' THEN expiration END" : "NULL"
        return "SELECT \(names.joined(separator: ", ")), \(expiration) FROM main.\(table.sqlName)"
    }
}

/// Keys of the raw store `info`.
package enum InfoKey {
    package static let publicUUID = "publicUUID"
    package static let privateUUID = "privateUUID"
    /// The private UUID of the database that this database is a copy of.
    package static let previousPrivateUUID = "previousPrivateUUID"
    package static let versioning = "versioning"
    package static let sharedKeys = "SharedKeys"
    /// How many revisions of a tree's branch are retained; 50 if it is missing.
    package static let maximumTreeDepth = "maxRevTreeDepth"
    /// The numbers assigned to the remotes that documents are replicated with.
    package static let remotes = "remotes"
    /// The highest rowid that may still be a tombstone among the live records of the default
    /// collection; 0 when they have all been moved.
    package static let unmovedTombstones = "maxRowidWithDeletedInDefault"
    /// A bound later than every time that this project has assigned to a version; LiteCore ignores
    /// it.
    package static let clockBound = "hybridClock"
    /// The models whose failures exclude documents from indexes; LiteCore ignores it.
    package static let lenientModels = "lenientModels"
    /// The ICU version whose collations order the strings in indexes; LiteCore ignores it.
    package static let collationVersions = "textOrders"
    /// The key of an encrypted file's blobs; LiteCore ignores it.
    package static let blobKey = "blobKey"
    /// Keys that only the engine writes.
    package static let all: Set<String> = [
        publicUUID, privateUUID, previousPrivateUUID, versioning, sharedKeys, remotes,
        unmovedTombstones, clockBound, lenientModels, collationVersions,
        blobKey,
    ]
}
