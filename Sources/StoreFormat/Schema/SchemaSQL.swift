import SQLCore

/// The SQL text that is part of the file format: tables, columns, and their names.
///
/// LiteCore compares some of it letter by letter, so nothing here is reworded.
package enum SchemaSQL {
    /// The schema that new files have, and the only one that is written.
    package static let currentVersion = 503
    /// The oldest schema that is read: Couchbase Lite 2.0.
    package static let oldestReadable = 201
    /// The newest schema that is read.
    package static let newestReadable = 599

    /// The table of what is known of each KeyStore.
    package static let createMeta =
        "CREATE TABLE IF NOT EXISTS kvmeta (name TEXT PRIMARY KEY, lastSeq INTEGER DEFAULT 0, "
        + "purgeCnt INTEGER DEFAULT 0) WITHOUT ROWID"

    /// A table of records, and its index.
    package static func createStore(table: String) -> [String] {
        [createTable(table), createExpirationIndex(table: table)]
    }

    /// A table of records.
    package static func createTable(_ table: String) -> String {
        "CREATE TABLE IF NOT EXISTS \(table.sqlName) (  key TEXT PRIMARY KEY,  sequence INTEGER,"
            + "  flags INTEGER DEFAULT 0,  version BLOB,  body BLOB,  expiration INTEGER,"
            + "  extra BLOB)"
    }

    /// The index of a table's rows that expire.
    package static func createExpirationIndex(table: String) -> String {
        "CREATE INDEX IF NOT EXISTS \(expirationIndex(table: table).sqlName) "
            + "ON \(table.sqlName) (expiration) WHERE expiration not null"
    }

    /// The name of that index, not quoted.
    package static func expirationIndex(table: String) -> String { table + "_expiration" }

    /// Settings of every connection.
    ///
    /// `secure_delete` is on in Debian's SQLite, which costs a write of each page that is freed;
    /// LiteCore's own has it off.
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

    /// What a new file needs before its first table.
    package static func newFilePragmas(pageSize: Int) -> String {
        "PRAGMA page_size=\(pageSize); PRAGMA auto_vacuum=incremental; PRAGMA journal_mode=WAL"
    }

    /// Sets a store's last sequence: name, number.
    package static let setLastSequence = """
        INSERT INTO kvmeta (name, lastSeq) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET lastSeq = excluded.lastSeq
        """

    /// Adds to a store's count of purges: name, number.
    package static let addPurges = """
        INSERT INTO kvmeta (name, purgeCnt) VALUES (?, ?) \
        ON CONFLICT (name) DO UPDATE SET purgeCnt = ifnull(purgeCnt, 0) + excluded.purgeCnt
        """

    /// A store's count of purges: name, name of its tombstones.
    package static let purgeCount = "SELECT total(purgeCnt) FROM kvmeta WHERE name IN (?, ?)"

    /// Reads a row of the raw store `info`: key.
    package static let getInfo = "SELECT body FROM kv_info WHERE key=?"

    /// Writes a row of the raw store `info`: key, body.
    package static let putInfo = "INSERT OR REPLACE INTO kv_info (key, body) VALUES (?, ?)"

    /// Removes a row of the raw store `info`: key.
    package static let removeInfo = "DELETE FROM kv_info WHERE key=?"

    /// An index of a table that is made when it is first needed: of all its rows, where no two may
    /// be alike, or of some.
    static func createLazyIndex(
        _ index: String, table: String, column: String, condition: String?
    ) -> String {
        let unique = condition == nil ? "UNIQUE " : ""
        let filter = condition.map { " WHERE \($0)" } ?? ""
        return "CREATE \(unique)INDEX \(index.sqlName) ON \(table.sqlName) (\(column))\(filter)"
    }

    /// The columns that every table of records has had since 2.0.
    package static let oldestColumns = ["key", "sequence", "flags", "version", "body"]
    /// All columns of a table of records, in no order of meaning: they are always named.
    package static let storeColumns = oldestColumns + ["expiration", "extra"]

    /// What tables get in upgrades, in LiteCore's words, which become part of the table's text.
    package static let addPurgeCount = "ALTER TABLE kvmeta ADD COLUMN purgeCnt INTEGER DEFAULT 0"
    /// Columns of the table `indexes`, and the type of each.
    package static let laterIndexColumns = [("lastSeq", "TEXT"), ("whereClause", "TEXT")]
    /// Adds a column to a table.
    package static func addColumn(_ column: String, type: String, table: String) -> String {
        "ALTER TABLE \(table.sqlName) ADD COLUMN \(column) \(type)"
    }

    /// All tables and views, and whether each is a table with rows of its own: views and virtual
    /// tables can run what they like.
    package static let tablesAndViews = """
        SELECT name, type='table' AND rootpage > 0 FROM main.sqlite_master
        WHERE type IN ('table', 'view') ORDER BY name
        """

    /// Who has a name, in any case of its letters: its kind, and the table it belongs to.
    package static let ownerOfName =
        "SELECT type, tbl_name FROM main.sqlite_master WHERE name = ? COLLATE NOCASE"

    /// The names of all triggers, and the table of each.
    package static let triggers =
        "SELECT name, tbl_name FROM main.sqlite_master WHERE type='trigger'"

    /// The names of all tables, views and virtual tables aside: those can run what they like.
    package static let tableNames =
        "SELECT name FROM sqlite_master WHERE type='table' AND rootpage > 0"

    /// The names of all tables with rows of their own, and of all indexes with their tables.
    static let tablesAndIndexes = """
        SELECT name, CASE type WHEN 'index' THEN tbl_name END FROM main.sqlite_master
        WHERE type IN ('table', 'index') AND rootpage > 0
        """

    /// Whether there is a table of this name.
    package static let tableExists = tableNames + " AND name = ?"

    /// Whether there is an index of this name on this table.
    package static let indexExists =
        "SELECT 1 FROM main.sqlite_master WHERE type='index' AND name = ? AND tbl_name = ?"

    /// The indexes of a file that has no table `indexes`: name, type, table.
    package static let unregisteredIndexes = """
        SELECT name, 0, tbl_name FROM sqlite_master
        WHERE type='index' AND sql NOT NULL AND tbl_name GLOB 'kv_*'
            AND NOT tbl_name GLOB '*:*' AND name NOT IN (\(ownIndexNames))
        ORDER BY tbl_name, name
        """

    /// The names of the indexes that a store makes for itself.
    private static let ownIndexNames = """
        tbl_name || '_expiration', tbl_name || '_seqs', tbl_name || '_conflicts', \
        tbl_name || '_blobs'
        """

    /// Whether a table may be one of records, in any case of its letters; those with a colon are
    /// tables of indexes.
    package static func mayHoldRecords(table: String) -> Bool {
        let folded = table.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return folded.starts(with: "kv_".utf8) && !folded.contains(UInt8(ascii: ":"))
    }

    /// All that can refer to blobs in a table of records, and what tells whether it is whole:
    /// `key`, `version`, `body`, `extra`, and `expiration` where it holds bytes. Nil if the table
    /// has nothing that refers to any.
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
    /// The private UUID of the database that this one is a copy of.
    package static let previousPrivateUUID = "previousPrivateUUID"
    package static let versioning = "versioning"
    package static let sharedKeys = "SharedKeys"
    /// How many revisions of a branch are kept of a revision tree; 50 if it is missing.
    package static let maximumTreeDepth = "maxRevTreeDepth"
    /// The numbers of the remotes that documents are replicated with.
    package static let remotes = "remotes"
    /// The row up to which tombstones may still stand among the live records of the default
    /// collection; 0 when they have all been moved.
    package static let unmovedTombstones = "maxRowidWithDeletedInDefault"
    /// Later than every time that this project has given to a version; LiteCore ignores it.
    package static let clockBound = "hybridClock"
    /// The models whose failures leave documents out of indexes; LiteCore ignores it.
    package static let lenientModels = "lenientModels"
    /// By which version of ICU the texts of indexes are ordered; LiteCore ignores it.
    package static let collationVersions = "textOrders"
    /// The key of the blobs of an encrypted file; LiteCore ignores it.
    package static let blobKey = "blobKey"
    /// What only the engine writes.
    package static let all: Set<String> = [
        publicUUID, privateUUID, previousPrivateUUID, versioning, sharedKeys, remotes,
        unmovedTombstones, clockBound, lenientModels, collationVersions,
        blobKey,
    ]
}
