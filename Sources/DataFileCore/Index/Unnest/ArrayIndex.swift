internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
package import StoreFormat

/// Array indexes: a table of the array's elements for each level of a path, maintained by triggers,
/// and an SQLite index on the last one.
enum ArrayIndex {
    /// The schema of an index with this definition.
    ///
    /// Throws `.invalidQuery`.
    static func schema(
        _ spec: IndexSpec, _ definition: IndexDefinition, path: String, _ store: KeyStoreName
    ) throws -> IndexSchema {
        let condition = try TriggerCondition(definition.condition, spec.name)
        var tables: [IndexTable] = []
        var plainName = ""
        for level in try levels(path, spec) {
            let text = level.description
            if let parent = tables.last {
                plainName = ArrayTable.plainName(text, inside: plainName)
                tables.append(innerTable(plainName, text, parent: parent.name))
            } else {
                plainName = ArrayTable.plainName(text, of: store) + condition.suffix
                tables.append(try outerTable(plainName, text, condition, store))
            }
        }
        let index = IndexSchema.SQLiteIndex(
            table: ArrayTable.name(ofPlain: plainName),
            expressions: try expressions(definition, spec), condition: nil)
        return IndexSchema(
            tables: tables, index: index, row: IndexRow(spec, .array, store, table: plainName))
    }

    /// The levels of a path: `a` and `b.c` of `a[].b.c`.
    private static func levels(_ path: String, _ spec: IndexSpec) throws -> [PropertyPath] {
        do {
            return try split(path).map { level in
                guard !level.isEmpty else {
                    throw StoreError(.invalidParameter, "a level of it is empty")
                }
                let path = try PropertyPath(parsing: level)
                guard !path.components.contains(.key("")), !path.components.isEmpty else {
                    throw StoreError(.invalidParameter, "a name in it is empty")
                }
                // Table names drop the backslash and would equal those of other paths.
                guard !path.description.utf8.contains(UInt8(ascii: "\\")) else {
                    throw StoreError(
                        .invalidParameter,
                        "a name in it needs a backslash, which the format cannot store")
                }
                return path
            }
        } catch {
            throw StoreError(
                .invalidParameter,
                "\"\(path)\" is not a path of arrays for the index \(spec.name): \(error)",
                underlying: error)
        }
    }

    private static func split(_ path: String) -> [String] {
        ArrayTable.levels(path.hasSuffix("[]") ? path.dropLast(2) : path[...])
    }

    private static func expressions(
        _ definition: IndexDefinition, _ spec: IndexSpec
    ) throws -> [String] {
        if definition.expressions.isEmpty { return ["fl_unnested_value(body)"] }
        return try definition.expressions.map { expression in
            try expression.requireIndexableBySQLite()
            return try expression.indexSQL(of: .elements)
        }
    }
}

// The tables.
extension ArrayIndex {
    /// A table of the elements of an array in a document.
    private static func outerTable(
        _ plainName: String, _ path: String, _ condition: TriggerCondition, _ store: KeyStoreName
    ) throws -> IndexTable {
        let table = ArrayTable.name(ofPlain: plainName)
        let source = store.tableName.sqlIdentifier
        let (insert, delete) = actions(table, path)
        let old = try condition.sql("old.", after: SchemaSQL.isAlive("old."))
        let new = try condition.sql("new.", after: SchemaSQL.isAlive("new."))
        let updated = try condition.sql("new.", after: SchemaSQL.isAliveAfterUpdate("new."))
        let update = "UPDATE OF body, flags"
        return IndexTable(
            name: table, sql: SchemaSQL.createArrayTable(table, parent: source), source: source,
            triggers: [
                .init("ins", of: table, "AFTER INSERT", on: source, when: new, insert),
                .init("del", of: table, "BEFORE DELETE", on: source, when: old, delete),
                .init("preupdate", of: table, "BEFORE " + update, on: source, when: old, delete),
                .init(
                    "postupdate", of: table, "AFTER " + update, on: source, when: updated, insert),
            ],
            fill: fill(table, path, source, new), isShared: true)
    }

    /// A table of the elements of arrays inside elements.
    private static func innerTable(
        _ plainName: String, _ path: String, parent: String
    ) -> IndexTable {
        let table = ArrayTable.name(ofPlain: plainName)
        let source = parent.sqlIdentifier
        let (insert, delete) = actions(table, path)
        return IndexTable(
            name: table, sql: SchemaSQL.createArrayTable(table, parent: source), source: source,
            triggers: [
                .init("ins", of: table, "AFTER INSERT", on: source, when: nil, insert),
                .init("del", of: table, "BEFORE DELETE", on: source, when: nil, delete),
            ],
            fill: fill(table, path, source, nil), isShared: true)
    }

    private static func actions(
        _ table: String, _ path: String
    ) -> (insert: String, delete: String) {
        (
            insert(table) + " FROM \(each(path)) ",
            "DELETE FROM \(table.sqlName) WHERE docid = old.rowid"
        )
    }

    private static func fill(
        _ table: String, _ path: String, _ source: String, _ condition: String?
    ) -> IndexTable.Fill {
        IndexTable.Fill(
            insert: insert(table) + " FROM \(source) as new, \(each(path))", alias: "new.",
            condition: condition)
    }

    private static func insert(_ table: String) -> String {
        "INSERT INTO \(table.sqlName) (docid, i, body) SELECT new.rowid, _each.rowid, _each.value"
    }

    private static func each(_ path: String) -> String {
        "fl_each(new.body, \(path.sqlLiteral)) AS _each"
    }
}

/// The names of the tables of array elements.
///
/// In the registry they have a plain name, such as `kv_default:unnest:students[].interests`. Since
/// LiteCore 3.2.1 the tables themselves are named by its digest.
package enum ArrayTable {
    /// The plain name of the outermost level.
    package static func plainName(_ path: String, of store: KeyStoreName) -> String {
        store.tableName + ":unnest:" + KeyStoreName.mangled(path)
    }

    /// The plain name of a level inside another one.
    static func plainName(_ path: String, inside parent: String) -> String {
        plainName(mangled: KeyStoreName.mangled(path), parent)
    }

    /// The plain name of a level inside another one, whose path is in the form used in names.
    package static func plainName(mangled path: String, _ parent: String) -> String {
        parent + "[]." + path
    }

    /// The paths of the levels in a plain name, in the form used in names.
    package static func levels(_ paths: Substring) -> [String] {
        var levels: [String] = [""]
        var rest = paths
        while let character = rest.first {
            let isEnd = rest.hasPrefix("[].")
            if isEnd { levels.append("") } else { levels[levels.count - 1].append(character) }
            rest = rest.dropFirst(isEnd ? 3 : 1)
        }
        return levels
    }

    /// The name of the table itself: the SHA-1 of the plain name, in hexadecimal.
    package static func name(ofPlain plainName: String) -> String {
        plainName.sha1Hexadecimal
    }

    /// The plain name of the outer level; nil for the outermost one.
    package static func parent(ofPlain plainName: String) -> String? {
        let bytes = Array(plainName.utf8)
        guard let end = bytes.lastRange(of: Array("[].".utf8)) else { return nil }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

extension [UInt8] {
    /// The position of the last occurrence of a pattern.
    fileprivate func lastRange(of pattern: [UInt8]) -> Int? {
        guard count >= pattern.count else { return nil }
        return (0...count - pattern.count).last { self[$0..<$0 + pattern.count] == pattern[...] }
    }
}
