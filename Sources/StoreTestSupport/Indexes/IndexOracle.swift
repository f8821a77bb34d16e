internal import DocumentStore
internal import SQLCore

/// Compares all indexes of a data file with its documents.
///
/// The contents of an index are read from the file's own trees, as plain tables, so that nothing is
/// computed on the way; the expected contents are computed from the documents by simple means,
/// without the engine's functions. Only the words of a string come from the tokenizer.
///
/// It reads the committed state, on connections of its own.
package struct IndexOracle {
    /// A row of the registry.
    struct Index {
        let name: String
        /// 0 value, 1 full-text, 2 array, 3 predictive, 4 vector.
        let kind: Int
        let store: String
        let expression: String
        let condition: String?
        let table: String?
    }

    /// The problems found.
    package private(set) var problems: [String] = []
    /// The number of compared index entries, by the kind of index.
    package private(set) var compared: [String: Int] = [:]
    /// The file in memory, without any function.
    let context: SQLContext
    let indexes: [Index]
    private var stores: [String: IndexedStore] = [:]

    /// Compares the indexes of the data file at a path.
    ///
    /// Throws `SQLError` if the file cannot be read.
    package init(_ path: String) throws {
        context = try Self.copy(path)
        indexes = try Self.registry(context) + Self.vectorRegistry(context)
        for index in indexes {
            do {
                try check(index)
            } catch {
                note(index, "\(error)")
            }
        }
        try checkUnregistered()
        try checkIntegrity(path)
    }

    /// A copy of the file in memory, which may be changed freely.
    private static func copy(_ path: String) throws -> SQLContext {
        let file = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        try file.setBusyTimeout(milliseconds: 5000)
        let copy = try SQLContext()
        try copy.setDefensive(false)
        try file.backup(to: copy, pages: Int.max)
        try file.close()
        return copy
    }

    private static func registry(_ context: SQLContext) throws -> [Index] {
        let columns = try context.selectAll(sql: "SELECT name FROM pragma_table_info('indexes')")
            .compactMap { $0[0].textValue }
        guard !columns.isEmpty else { return [] }
        let condition = columns.contains("whereClause") ? "whereClause" : "NULL"
        return try context.selectAll(
            sql: """
                SELECT name, type, keyStore, expression, \(condition), indexTableName FROM indexes
                ORDER BY name
                """
        ).map { row in
            Index(
                name: row[0].textValue ?? "", kind: Int(row[1].longValue ?? -1),
                store: row[2].textValue ?? "", expression: row[3].textValue ?? "",
                condition: row[4].textValue, table: row[5].textValue)
        }
    }

    private mutating func check(_ index: Index) throws {
        let store = try stores[index.store] ?? IndexedStore(index.store, context)
        stores[index.store] = store
        switch index.kind {
        case 0: try checkValues(index, store)
        case 1: try checkWords(index, store)
        case 2: try checkElements(index, store)
        case 3: try checkPredictions(index, store)
        case 4: try checkVectors(index, store)
        default: note(index, "is of an unknown kind")
        }
    }

    mutating func note(_ index: Index, _ problem: String) {
        problems.append("\(index.name): \(problem)")
    }

    /// Compares the actual with the expected entries.
    mutating func compare<Entry: Hashable>(
        _ index: Index, _ what: String, _ found: [Entry], _ expected: [Entry]
    ) {
        compared[what, default: 0] += expected.count
        var counts: [Entry: Int] = [:]
        for entry in found { counts[entry, default: 0] += 1 }
        for entry in expected { counts[entry, default: 0] -= 1 }
        let surplus = counts.filter { $0.value > 0 }.keys.prefix(3)
        let missing = counts.filter { $0.value < 0 }.keys.prefix(3)
        if !surplus.isEmpty { note(index, "\(what): \(Array(surplus)) should not be there") }
        if !missing.isEmpty { note(index, "\(what): \(Array(missing)) should be there") }
    }
}

// Checks of the schema and of SQLite's integrity.
extension IndexOracle {
    /// Reports tables and triggers of indexes that do not belong to an index.
    private mutating func checkUnregistered() throws {
        var known: Set<String> = []
        for index in indexes {
            guard let table = index.table else { continue }
            known.insert(table)
            if index.kind == 4 { known.formUnion(Self.vectorTables(table)) }
            if index.kind == 2 { known.formUnion(try levels(index).map(\.table)) }
        }
        let names = try context.selectAll(
            sql: """
                SELECT name, type FROM sqlite_master WHERE name NOT GLOB 'imposter*'
                    AND type IN ('table', 'trigger')
                    AND (name GLOB '*:*' OR length(name) = 40 AND name NOT GLOB 'kv_*')
                """)
        for row in names {
            var name = row[0].textValue ?? ""
            if row[1] == .text("trigger"), let end = name.ranges(of: "::").last {
                name = String(name[..<end.lowerBound])
            }
            let shadows = ["_content", "_segments", "_segdir", "_docsize", "_stat"]
            if let suffix = shadows.first(where: { name.hasSuffix($0) }), !known.contains(name) {
                name.removeLast(suffix.count)
            }
            if !known.contains(name) { problems.append("\(row[0]) belongs to no index") }
        }
    }

    /// SQLite's own check of the trees, for which it computes the indexed expressions.
    private mutating func checkIntegrity(_ path: String) throws {
        let copy = try Self.copy(path)
        try SQLFunctions.register(in: copy, sharedKeys: IndexedStore.sharedKeys(copy))
        for row in try copy.selectAll(sql: "PRAGMA integrity_check") where row[0] != .text("ok") {
            problems.append(row[0].textValue ?? "")
        }
        for index in indexes where index.kind == 1 {
            let table = (index.table ?? "").sqlName
            do {
                try copy.exec(sql: "INSERT INTO \(table)(\(table)) VALUES('integrity-check')")
            } catch {
                note(index, "FTS4 finds damage: \(error)")
            }
        }
    }
}

/// An entry for one row in a tree of an index.
struct IndexedEntry: Hashable, CustomStringConvertible {
    let row: Int64
    let values: [IndexedValue]

    var description: String { "row \(row): \(values)" }
}

extension IndexOracle {
    /// Compares a value index: an entry for each row that meets the condition.
    mutating func checkValues(_ index: Index, _ store: IndexedStore) throws {
        let definition = try IndexedDefinition(index.expression, where: index.condition)
        let expected = store.rows.filter { definition.selects($0.root) }.map {
            IndexedEntry(row: $0.number, values: definition.values($0.root))
        }
        let found = try entries(index.name, columns: definition.paths.count)
        compare(index, "values", found, expected)
    }

    /// All entries of the tree of an index of SQLite's own.
    ///
    /// Such a tree has the format of a WITHOUT ROWID table whose key consists of all of its
    /// columns, so a table with that definition reads it without computing an expression.
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
