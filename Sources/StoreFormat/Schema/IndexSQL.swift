internal import SQLCore

/// The SQL text of indexes, which is part of the file format: LiteCore rebuilds an index whose text
/// is not exactly what it would generate itself.
extension SchemaSQL {
    /// The table that registers the indexes.
    package static let createIndexes =
        "CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER NOT NULL, "
        + "keyStore TEXT NOT NULL, expression TEXT, whereClause TEXT, indexTableName TEXT, "
        + "lastSeq TEXT)"

    /// Registers an index: name, type, store, expression, condition, table, sequences.
    package static let addIndex = """
        INSERT INTO main.indexes \
        (name, type, keyStore, expression, whereClause, indexTableName, lastSeq) \
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """

    /// The table that registers the vector indexes of this project, which LiteCore ignores.
    package static let vectorIndexTable = "vector_indexes"

    /// Creates the table that registers the vector indexes.
    package static let createVectorIndexes =
        "CREATE TABLE vector_indexes (name TEXT PRIMARY KEY, keyStore TEXT NOT NULL, "
        + "expression TEXT NOT NULL, whereClause TEXT, indexTableName TEXT NOT NULL, "
        + "dimensions INTEGER NOT NULL, metric TEXT NOT NULL, encoding TEXT NOT NULL, "
        + "probes INTEGER, isLazy INTEGER NOT NULL)"

    /// Virtual full-text tables, for a file without the table `indexes`.
    package static let fullTextTables = """
        SELECT name FROM main.sqlite_master WHERE type='table' AND name GLOB 'kv_*::*'
            AND sql LIKE 'CREATE VIRTUAL TABLE % USING fts%' ORDER BY name
        """

    /// Whether there are full-text tables.
    package static let hasFullTextTables = """
        SELECT 1 FROM main.sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts%' LIMIT 1
        """

    /// The SQL text of a schema object: name.
    package static let textOfName = "SELECT sql FROM main.sqlite_master WHERE name = ?"

    /// The name and SQL text of each index that has one.
    package static let indexTexts =
        "SELECT name, sql FROM main.sqlite_master WHERE type='index' AND sql NOT NULL"

    /// The name and SQL text of each index of a table: table name.
    package static let indexesOfTable = indexTexts + " AND tbl_name = ? ORDER BY name"

    /// The name and SQL text of each trigger of a table: table name.
    package static let triggersOfTable =
        "SELECT name, sql FROM main.sqlite_master WHERE type='trigger' AND tbl_name = ?"

    /// The possible shadow tables of a virtual table: those whose names start with its name and an
    /// underscore. Parameter: its name.
    package static let tablesOfModule = """
        SELECT name FROM main.sqlite_master
        WHERE type='table' AND rootpage > 0 AND substr(name, 1, length(?1) + 1) = ?1 || '_'
        """

    /// Whether a name has the form of those that stores give to their own indexes.
    package static func isNameOfStore(index name: String) -> Bool {
        let suffixes = ["_expiration", "_seqs", "_conflicts", "_blobs"]
        return mayHoldRecords(table: name) && suffixes.contains { name.hasSuffix($0) }
    }

    /// Creates an index on expressions.
    package static func createIndex(
        _ name: String, on table: String, _ expressions: [String], where condition: String?
    ) -> String {
        "CREATE INDEX \(name) ON \(table) (\(expressions.joined(separator: ", ")))"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    /// Creates a trigger that maintains an index table.
    package static func createTrigger(
        _ suffix: String, of table: String, _ event: String, on source: String,
        when condition: String?, _ action: String
    ) -> String {
        let when = condition.map { "WHEN \($0)" } ?? ""
        return "CREATE TRIGGER \((table + "::" + suffix).sqlName) \(event) ON \(source) "
            + "\(when)  BEGIN \(action); END"
    }

    /// The suffixes of trigger names, after the name of the index table, in LiteCore or in older
    /// versions of it; the last one is that of vector indexes of this project.
    package static let triggerSuffixes = [
        "ins", "del", "upd", "preupdate", "postupdate", "preinsert",
    ]

    /// Whether a table may be an index table: its name contains a colon, or is a digest.
    package static func mayBeOfIndex(table: String) -> Bool {
        if table.utf8.contains(UInt8(ascii: ":")) { return true }
        return table.utf8.count == 40
            && table.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The suffixes of FTS4's shadow tables, after the name of the full-text table.
    package static let fullTextSuffixes = ["_content", "_segments", "_segdir", "_docsize", "_stat"]

    /// Creates a full-text table.
    package static func createFullTextTable(
        _ table: String, columns: [String], tokenizer: String
    ) -> String {
        let columns = columns.map(\.sqlName).joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(table.sqlName) USING fts4(\(columns), \(tokenizer))"
    }

    /// Creates the table of an array's elements.
    package static func createArrayTable(_ table: String, parent: String) -> String {
        "CREATE TABLE \(table.sqlName) (docid INTEGER NOT NULL REFERENCES \(parent)(rowid),  "
            + "i INTEGER NOT NULL, body BLOB NOT NULL,  CONSTRAINT pk PRIMARY KEY (docid, i))"
    }

    /// Creates the table of a predictive model's results.
    package static func createPredictionTable(_ table: String, parent: String) -> String {
        "CREATE TABLE \(table.sqlName) (docid INTEGER PRIMARY KEY "
            + "REFERENCES \(parent)(rowid),  body BLOB NOT NULL ON CONFLICT IGNORE) WITHOUT ROWID"
    }

    /// Whether a row is a live document, in the form that all SQL text but one uses.
    package static func isAlive(_ alias: String) -> String { "(\(alias)flags & 1) = 0" }
    /// The same in the form of the trigger after an update.
    package static func isAliveAfterUpdate(_ alias: String) -> String { "(\(alias)flags & 1 = 0)" }
}
