internal import SQLCore

/// The SQL text of indexes, which is part of the file format: LiteCore takes an index for another
/// one, and makes it again, if its text is not what it would write itself.
extension SchemaSQL {
    /// The table of what indexes there are.
    package static let createIndexes =
        "CREATE TABLE indexes (name TEXT PRIMARY KEY, type INTEGER NOT NULL, "
        + "keyStore TEXT NOT NULL, expression TEXT, whereClause TEXT, indexTableName TEXT, "
        + "lastSeq TEXT)"

    /// Adds an index: name, type, store, expression, condition, table, sequences.
    package static let addIndex = """
        INSERT INTO main.indexes \
        (name, type, keyStore, expression, whereClause, indexTableName, lastSeq) \
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """

    /// Virtual full-text tables, in a file without a table of indexes.
    package static let fullTextTables = """
        SELECT name FROM main.sqlite_master WHERE type='table' AND name GLOB 'kv_*::*'
            AND sql LIKE 'CREATE VIRTUAL TABLE % USING fts%' ORDER BY name
        """

    /// Whether there are full-text tables.
    package static let hasFullTextTables = """
        SELECT 1 FROM main.sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts%' LIMIT 1
        """

    /// The text of a thing of the schema: its name.
    package static let textOfName = "SELECT sql FROM main.sqlite_master WHERE name = ?"

    /// The names and texts of all indexes that have a text.
    package static let indexTexts =
        "SELECT name, sql FROM main.sqlite_master WHERE type='index' AND sql NOT NULL"

    /// The texts of the indexes of a table: its name.
    package static let indexesOfTable = indexTexts + " AND tbl_name = ? ORDER BY name"

    /// The texts of the triggers of a table: its name.
    package static let triggersOfTable =
        "SELECT name, sql FROM main.sqlite_master WHERE type='trigger' AND tbl_name = ?"

    /// The tables that a virtual table may keep its rows in: those whose names begin with its own
    /// and an underscore. Its name, twice.
    package static let tablesOfModule = """
        SELECT name FROM main.sqlite_master
        WHERE type='table' AND rootpage > 0 AND substr(name, 1, length(?1) + 1) = ?1 || '_'
        """

    /// Whether a name is like those of the indexes that stores make for themselves.
    package static func isNameOfStore(index name: String) -> Bool {
        let suffixes = ["_expiration", "_seqs", "_conflicts", "_blobs"]
        return mayHoldRecords(table: name) && suffixes.contains { name.hasSuffix($0) }
    }

    /// An index of expressions.
    package static func createIndex(
        _ name: String, on table: String, _ expressions: [String], where condition: String?
    ) -> String {
        "CREATE INDEX \(name) ON \(table) (\(expressions.joined(separator: ", ")))"
            + (condition.map { " WHERE \($0)" } ?? "")
    }

    /// A trigger that keeps a table of an index.
    package static func createTrigger(
        _ suffix: String, of table: String, _ event: String, on source: String,
        when condition: String?, _ action: String
    ) -> String {
        let when = condition.map { "WHEN \($0)" } ?? ""
        return "CREATE TRIGGER \((table + "::" + suffix).sqlName) \(event) ON \(source) "
            + "\(when)  BEGIN \(action); END"
    }

    /// What triggers of an index are called behind the name of its table, in LiteCore or in older
    /// versions of it.
    package static let triggerSuffixes = ["ins", "del", "upd", "preupdate", "postupdate"]

    /// Whether a table may be one of an index: those have a colon in their name, or a digest for
    /// it.
    package static func mayBeOfIndex(table: String) -> Bool {
        if table.utf8.contains(UInt8(ascii: ":")) { return true }
        return table.utf8.count == 40
            && table.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// What FTS4 calls its own tables, behind the name of the full-text table.
    package static let fullTextSuffixes = ["_content", "_segments", "_segdir", "_docsize", "_stat"]

    /// The full-text table.
    package static func createFullTextTable(
        _ table: String, columns: [String], tokenizer: String
    ) -> String {
        let columns = columns.map(\.sqlName).joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(table.sqlName) USING fts4(\(columns), \(tokenizer))"
    }

    /// The table of an array's elements.
    package static func createArrayTable(_ table: String, parent: String) -> String {
        "CREATE TABLE \(table.sqlName) (docid INTEGER NOT NULL REFERENCES \(parent)(rowid),  "
            + "i INTEGER NOT NULL, body BLOB NOT NULL,  CONSTRAINT pk PRIMARY KEY (docid, i))"
    }

    /// The table of a model's results.
    package static func createPredictionTable(_ table: String, parent: String) -> String {
        "CREATE TABLE \(table.sqlName) (docid INTEGER PRIMARY KEY "
            + "REFERENCES \(parent)(rowid),  body BLOB NOT NULL ON CONFLICT IGNORE) WITHOUT ROWID"
    }

    /// Whether a row is a document that is alive, as each of the texts has it.
    package static func isAlive(_ alias: String) -> String { "(\(alias)flags & 1) = 0" }
    /// The same in the words of the trigger after an update.
    package static func isAliveAfterUpdate(_ alias: String) -> String { "(\(alias)flags & 1 = 0)" }
}
