internal import FleeceLite
package import SQLCore

/// The versions of the file format that this version reads and writes.
///
/// The schema version is SQLite's `user_version` of a file.
///
/// ```swift
/// let schema = try file.read { try $0.fileInfo().schemaVersion }
/// if schema != FileFormat.writtenSchema { show("schema \(schema) can be read, not written") }
/// ```
///
/// Opening a file with a schema that cannot be read throws ``StoreError/Code/databaseTooOld`` or
/// ``StoreError/Code/databaseTooNew``.
public enum FileFormat {
    /// The schema versions that can be read: those of Couchbase Lite 2, 3 and 4.
    ///
    /// Files with an older schema than ``writtenSchema`` must be upgraded before they are written
    /// to.
    public static let readableSchemas = SchemaSQL.oldestReadable...SchemaSQL.newestReadable

    /// The schema version of new files, and the only one that can be written.
    ///
    /// Writing to another file throws ``StoreError/Code/cannotUpgradeDatabase`` until it is
    /// upgraded.
    public static let writtenSchema = SchemaSQL.currentVersion
}

/// The names of a file's tables and indexes, so that looking one up does not search the whole
/// schema each time.
package struct SchemaNames {
    /// Tables with rows of their own: not views, not virtual tables.
    private var tables: Set<ExactString> = []
    /// The table of each index, by the index's name.
    private var indexes: [ExactString: String] = [:]

    /// Costs one pass over the schema.
    package init(_ context: SQLContext) throws {
        try context.forEach(SchemaSQL.tablesAndIndexes) { row in
            let name = ExactString(row.text(at: 0) ?? "")
            if let table = row.text(at: 1) {
                indexes[name] = table
            } else {
                tables.insert(name)
            }
        }
    }

    package func hasTable(_ name: String) -> Bool { tables.contains(ExactString(name)) }

    /// The table of an index; nil if the index does not exist.
    package func table(ofIndex name: String) -> String? { indexes[ExactString(name)] }

    package func hasIndex(_ name: String, on table: String) -> Bool {
        indexes[ExactString(name)]?.hasSameBytes(as: table) == true
    }
}

/// A table, index, trigger or view of a file.
package struct SchemaObject: Hashable {
    package let type: String
    package let name: String
    /// The table that it belongs to; a table's own name.
    package let table: String
    /// Nil for an index that SQLite creates for a key.
    package let sql: String?
    /// Whether it has database pages of its own.
    package let hasPages: Bool

    /// All objects of the schema, sorted by name.
    package static func all(in context: SQLContext) throws -> [SchemaObject] {
        var objects: [SchemaObject] = []
        try context.forEach(
            "SELECT type, name, tbl_name, sql, rootpage FROM main.sqlite_master ORDER BY name"
        ) { row in
            objects.append(
                SchemaObject(
                    type: row.text(at: 0) ?? "", name: row.text(at: 1) ?? "",
                    table: row.text(at: 2) ?? "", sql: row.text(at: 3),
                    hasPages: row.long(at: 4) > 0))
        }
        return objects
    }
}

extension String {
    /// The name as LiteCore writes it in the SQL of indexes: unquoted if it only has ASCII letters,
    /// digits and `_`, else in double quotes.
    ///
    /// LiteCore leaves SQL keywords unquoted, too, which SQLite rejects: those are quoted here.
    package var sqlIdentifier: String {
        isPlainIdentifier && !SQLWords.reserved.contains(uppercased()) ? self : sqlName
    }

    private var isPlainIdentifier: Bool {
        guard let first = utf8.first, !(0x30...0x39).contains(first) else { return false }
        return utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
            default: false
            }
        }
    }

    /// The string as an SQL string literal, in single quotes.
    package var sqlLiteral: String {
        guard utf8.contains(UInt8(ascii: "'")) else { return "'" + self + "'" }
        var result = "'"
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "'" { result += "'" }
        }
        return result + "'"
    }
}

/// Keywords that SQLite does not accept as a name unless they are quoted; it accepts its other
/// keywords.
enum SQLWords {
    static let reserved = Set(
        """
        ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE \
        DEFAULT DEFERRABLE DELETE DISTINCT DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP \
        HAVING IF IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON \
        OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE \
        UPDATE USING VALUES WHEN WHERE
        """.split(separator: " ").map(String.init))
}
