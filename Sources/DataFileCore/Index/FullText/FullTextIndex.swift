internal import FleeceLite
internal import QueryFunctions
internal import QueryLanguage
internal import SQLCore
package import StoreFormat
internal import StorePlatform

/// Full-text indexes: an FTS4 table with a column for each property, maintained by triggers.
enum FullTextIndex {
    /// The schema of an index with this definition.
    ///
    /// Throws `.invalidQuery`, or `.invalidParameter` if the language is not a word.
    static func schema(
        _ spec: IndexSpec, _ definition: IndexDefinition, _ options: FullTextOptions,
        _ store: KeyStoreName
    ) throws -> IndexSchema {
        let paths = try paths(definition, spec.name)
        let name = FullTextTable.name(spec.name, of: store)
        let columns = paths.map(\.description)
        let condition = try TriggerCondition(definition.condition, spec.name)
        let table = IndexTable(
            name: name,
            sql: SchemaSQL.createFullTextTable(
                name, columns: columns, tokenizer: try tokenizer(options)),
            source: store.tableName.sqlName,
            triggers: try triggers(name, columns, condition, store),
            fill: IndexTable.Fill(
                insert: insert(name, columns)
                    + " SELECT new.rowid, \(values(columns, "new.")) FROM "
                    + "\(store.tableName.sqlName) AS new",
                alias: "new.", condition: try condition.sql("new.")),
            isShared: false)
        return IndexSchema(
            tables: [table], row: IndexRow(spec, .fullText, store, table: name))
    }

    /// The indexed properties. Only properties can be indexed, not computed values.
    private static func paths(
        _ definition: IndexDefinition, _ name: String
    ) throws -> [PropertyPath] {
        guard !definition.expressions.isEmpty else {
            throw StoreError.invalidQuery("the full-text index \(name) has no properties")
        }
        return try definition.expressions.map { expression in
            guard case .property(let path) = expression, !path.components.isEmpty else {
                throw StoreError.invalidQuery(
                    "the full-text index \(name) can index properties only: "
                        + QueryJSONWriter.text(expression))
            }
            return path
        }
    }

    private static func triggers(
        _ table: String, _ columns: [String], _ condition: TriggerCondition, _ store: KeyStoreName
    ) throws -> [IndexTable.Trigger] {
        let insert = insert(table, columns) + " VALUES (new.rowid, \(values(columns, "new.")))"
        let delete = "DELETE FROM \(table.sqlName) WHERE docid = old.rowid"
        let source = store.tableName.sqlName
        let old = try condition.sql("old.")
        let new = try condition.sql("new.")
        return [
            .init("ins", of: table, "AFTER INSERT", on: source, when: new, insert),
            .init("del", of: table, "AFTER DELETE", on: source, when: old, delete),
            .init("preupdate", of: table, "BEFORE UPDATE OF body", on: source, when: old, delete),
            .init("postupdate", of: table, "AFTER UPDATE OF body", on: source, when: new, insert),
        ]
    }

    private static func insert(_ table: String, _ columns: [String]) -> String {
        "INSERT INTO \(table.sqlName) (docid, \(columns.map(\.sqlName).joined(separator: ", ")))"
    }

    private static func values(_ columns: [String], _ alias: String) -> String {
        columns.map { "fl_fts_value(\(alias)body, \($0.sqlLiteral))" }.joined(separator: ", ")
    }
}

// The tokenizer's options, in LiteCore's order.
extension FullTextIndex {
    private static func tokenizer(_ options: FullTextOptions) throws -> String {
        var text = "tokenize=unicodesn"
        let language = try options.language.map { try code($0) }
        if let words = options.stopWords {
            text += try " \"stopwordlist=\(list(words))\""
        } else if let language {
            text += " \"stopwords=\(language)\""
        }
        if let language, options.isStemmed, FullTextOptions.stemmedLanguages.contains(language) {
            text += " \"stemmer=\(language)\""
        }
        if !options.ignoresDiacritics { text += " \"remove_diacritics=0\"" }
        if options.segmentsWords { text += " \"\(TokenizerOptions.segmentationArgument)\"" }
        return text
    }

    /// The language of a locale: `en` for `en_US`.
    private static func code(_ language: String) throws -> String {
        let code = language.split(separator: "_", omittingEmptySubsequences: false)[0]
        let isWord = code.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
        guard isWord, !code.isEmpty else {
            throw StoreError(
                .invalidParameter,
                "\"\(language)\" is not a language: use a code such as en or de, or a name such as "
                    + "english")
        }
        return String(code)
    }

    /// The words as one string; characters that would end it are replaced by spaces.
    private static func list(_ words: [String]) throws -> String {
        let text = words.joined(separator: " ")
        guard !text.hasNUL else {
            throw StoreError(.invalidParameter, "a stop word cannot contain U+0000")
        }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0 == "\"" || $0 == "," ? " " : $0 }))
    }
}

/// The names of the full-text tables: `kv_default::by\Street`.
package enum FullTextTable {
    /// The table of an index.
    package static func name(_ index: String, of store: KeyStoreName) -> String {
        store.tableName + "::" + KeyStoreName.mangled(index)
    }

    /// The store and the index in a table's name; nil if it is not the name of a full-text table.
    /// The auxiliary tables of FTS4 have longer names.
    static func parts(ofName name: String) -> (store: KeyStoreName, index: String)? {
        guard let colons = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let rest = name[colons...]
        guard rest.hasPrefix("::"), let store = KeyStoreName(tableName: String(name[..<colons]))
        else { return nil }
        return (store, KeyStoreName.unmangled(rest.dropFirst(2)))
    }
}
