internal import SQLCore

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
