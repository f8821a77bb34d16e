internal import DocumentStore
internal import SQLCore

/// The strings of a row, by column, as stored by FTS4.
private struct IndexedStrings: Hashable, CustomStringConvertible {
    let row: Int64
    let strings: [IndexedValue]

    var description: String { "row \(row): \(strings)" }
}

extension IndexOracle {
    /// Compares a full-text index: the stored strings, each word with its positions, and the number
    /// of words of each string. It includes tombstones that are stored among the live rows.
    mutating func checkWords(_ index: Index, _ store: IndexedStore) throws {
        let definition = try IndexedDefinition(index.expression, where: index.condition)
        let table = index.table ?? ""
        let tokens = try Tokens(of: table, context)
        let rows = store.rows.filter { definition.selects($0.root) }
        var words: [IndexedWord] = []
        var sizes: [IndexedStrings] = []
        var strings: [IndexedStrings] = []
        for row in rows {
            let columns = definition.paths.map { row.root?.value(at: $0)?.indexedText }
            strings.append(
                IndexedStrings(
                    row: row.number, strings: columns.map { $0.map { .text($0) } ?? .missing }))
            var counts: [IndexedValue] = []
            for (column, text) in columns.enumerated() {
                let found = try tokens.words(text ?? [])
                counts.append(.integer(Int64(found.map { $0.position + 1 }.max() ?? 0)))
                words += found.map {
                    IndexedWord(
                        word: $0.word, row: row.number, column: column, position: $0.position)
                }
            }
            sizes.append(IndexedStrings(row: row.number, strings: counts))
        }
        compare(index, "strings", try self.strings(table, definition.paths.count), strings)
        compare(index, "words", try IndexedWords(table, context).all, words)
        compare(index, "sizes", try self.sizes(table), sizes)
    }

    private func strings(_ table: String, _ columns: Int) throws -> [IndexedStrings] {
        let statement = try context.prepare(
            sql: "SELECT * FROM \((table + "_content").sqlName)")
        var strings: [IndexedStrings] = []
        while try statement.next() {
            strings.append(
                IndexedStrings(
                    row: statement.long(at: 0),
                    strings: (0..<columns).map { IndexedValue(statement, $0 + 1) }))
        }
        return strings
    }

    private func sizes(_ table: String) throws -> [IndexedStrings] {
        try context.selectAll(
            sql: "SELECT docid, size FROM \((table + "_docsize").sqlName)"
        ).map { row in
            var reader = ByteReader(row[1].bytesValue ?? [])
            var counts: [IndexedValue] = []
            while !reader.isAtEnd { counts.append(.integer(Int64(try reader.number()))) }
            return IndexedStrings(row: row[0].longValue ?? 0, strings: counts)
        }
    }
}

/// The words of strings, as split by the tokenizer of an FTS4 table.
private struct Tokens {
    private let statement: SQLStatement

    init(of table: String, _ context: SQLContext) throws {
        let text = try context.selectValue(
            sql: "SELECT sql FROM sqlite_master WHERE name = ?", parameters: [.text(table)])
        let options = text?.textValue?.parts(by: "tokenize=unicodesn").last ?? ""
        let arguments = options.split(separator: "\"").filter { $0.contains("=") }
        let other = try SQLContext()
        try SQLFunctions.register(in: other, sharedKeys: SharedKeys())
        let list = (["unicodesn"] + arguments).map { "'\($0)'" }.joined(separator: ", ")
        try other.exec(sql: "CREATE VIRTUAL TABLE t USING fts3tokenize(\(list))")
        statement = try other.prepare(
            sql: "SELECT CAST(token AS BLOB), position FROM t WHERE input = CAST(? AS TEXT)")
    }

    func words(_ text: [UInt8]) throws -> [(word: [UInt8], position: Int)] {
        defer { statement.reset() }
        try statement.bind(.blob(text), at: 1)
        var words: [(word: [UInt8], position: Int)] = []
        while try statement.next() {
            words.append(
                (statement.byteArray(at: 0) ?? [], Int(statement.long(at: 1))))
        }
        return words
    }
}
