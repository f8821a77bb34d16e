internal import FleeceLite
package import SQLCore

/// Which forms of the file this version reads and writes.
///
/// The schema is SQLite's `user_version` of a file.
public enum FileFormat {
    /// The schemas of files that are read.
    public static let readableSchemas = SchemaSQL.oldestReadable...SchemaSQL.newestReadable

    /// The schema of new files, and of those that are written to.
    public static let writtenSchema = SchemaSQL.currentVersion
}

/// The tables and indexes of a file by their names, so that one of many need not be looked for in
/// the whole schema each time.
package struct SchemaNames {
    /// Tables with rows of their own: neither views nor virtual tables.
    private var tables: Set<ExactString> = []
    /// The table of each index.
    private var indexes: [ExactString: String] = [:]

    /// Costs a pass over the schema.
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

    /// The table that an index is of; nil for other names.
    package func table(ofIndex name: String) -> String? { indexes[ExactString(name)] }

    package func hasIndex(_ name: String, on table: String) -> Bool {
        indexes[ExactString(name)]?.hasSameBytes(as: table) == true
    }
}

/// A table, index, trigger or view of a file.
package struct SchemaObject: Hashable {
    package let type: String
    package let name: String
    /// The table that it belongs to; its own name if it is a table.
    package let table: String
    /// Nil for an index that SQLite makes for a key.
    package let sql: String?
    /// Whether it has pages of its own.
    package let hasPages: Bool

    /// All that the schema lists, by name.
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
    /// The name as LiteCore writes it in the SQL of indexes: bare if it is made of ASCII letters,
    /// digits and `_` only, else in double quotes.
    ///
    /// LiteCore writes SQL's own words bare, too, which SQLite does not take: those are quoted.
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

    /// The text as a SQL string, in single quotes.
    package var sqlLiteral: String {
        var result = "'"
        for scalar in unicodeScalars {
            result.unicodeScalars.append(scalar)
            if scalar == "'" { result += "'" }
        }
        return result + "'"
    }
}

/// Words that SQLite does not take for a name unless they are quoted; it takes the others of its
/// own.
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
