extension String {
    /// The text as a SQL name: in double quotes, those inside doubled.
    package var sqlName: String { quoted(with: "\"") }

    /// The text as a SQL string: in single quotes, those inside doubled.
    package var sqlText: String { quoted(with: "'") }

    private func quoted(with quote: Character) -> String {
        // By scalars: a quote with an accent on it is one Character, and still ends the text.
        var result = String(quote)
        for character in unicodeScalars {
            result.unicodeScalars.append(character)
            if Character(character) == quote { result.append(quote) }
        }
        result.append(quote)
        return result
    }
}

/// A name with the schema before it, where there is one.
package func qualifiedName(_ name: String, inSchema schema: String?) -> String {
    (schema.map { $0.sqlName + "." } ?? "") + name.sqlName
}
