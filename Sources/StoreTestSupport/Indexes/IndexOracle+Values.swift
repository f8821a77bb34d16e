internal import DocumentStore
internal import SQLCore

/// What a tree of an index has of one row.
struct IndexedEntry: Hashable, CustomStringConvertible {
    let row: Int64
    let values: [IndexedValue]

    var description: String { "row \(row): \(values)" }
}

extension IndexOracle {
    /// Compares a value index: an entry for each row of which the condition holds.
    mutating func checkValues(_ index: Index, _ store: IndexedStore) throws {
        let definition = try IndexedDefinition(index.expression, where: index.condition)
        let expected = store.rows.filter { definition.selects($0.root) }.map {
            IndexedEntry(row: $0.number, values: definition.values($0.root))
        }
        let found = try entries(index.name, columns: definition.paths.count)
        compare(index, "values", found, expected)
    }

    /// All that the tree of an index of SQLite's own holds.
    ///
    /// Such a tree has the form of a table without row numbers whose key is all of its columns, so
    /// a table by that description shows it, and no expression is computed.
    func entries(_ index: String, columns: Int) throws -> [IndexedEntry] {
        let root = try context.selectValue(
            sql: "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND name = ?",
            parameters: [.text(index)])
        guard let root else { throw MissingTree(index: index) }
        let name = "imposter \(index)"
        let list = (0..<columns).map { "c\($0)" }.joined(separator: ", ")
        try context.exec(sql: "PRAGMA writable_schema = ON")
        try context.exec(
            sql: "INSERT INTO sqlite_master VALUES ('table', ?1, ?1, ?2, ?3)",
            parameters: [
                .text(name), root,
                .text(
                    "CREATE TABLE \(name.sqlName)(\(list), number, PRIMARY KEY(\(list), number)) "
                        + "WITHOUT ROWID"),
            ])
        try context.exec(sql: "PRAGMA writable_schema = RESET")
        let statement = try context.prepare(sql: "SELECT number, \(list) FROM \(name.sqlName)")
        var entries: [IndexedEntry] = []
        while try statement.next() {
            let values = (0..<columns).map { IndexedValue(statement, $0 + 1) }
            entries.append(IndexedEntry(row: statement.long(at: 0), values: values))
        }
        return entries
    }

    struct MissingTree: Error, CustomStringConvertible {
        let index: String
        var description: String { "there is no such index in the schema" }
    }
}
