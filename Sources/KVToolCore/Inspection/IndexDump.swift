package import DocumentStore
internal import SQLCore
internal import StorePlatform
internal import StoreTools

/// Writes the entries of an index.
package struct IndexDump {
    private let index: IndexInfo
    private let snapshot: Snapshot
    private let limit: Int
    private let output: OutputArguments
    private let objects: IndexObjects

    package init(
        _ index: IndexInfo, _ snapshot: Snapshot, limit: Int, _ output: OutputArguments
    ) throws {
        self.index = index
        self.snapshot = snapshot
        self.limit = limit
        self.output = output
        objects = try IndexObjects(index, snapshot)
    }

    package func run() throws {
        switch index.kind {
        case .value: try writeValues()
        case .fullText: try writeWords()
        case .array: try writeElements()
        case .predictive: try writeResults()
        case .vector where index.vectorOptions != nil: try writeVectors()
        case .vector, nil:
            throw ToolError(
                "the index \(Text.line(index.name)) has a kind that only the program that created "
                    + "it can read")
        }
    }

    private func rows(_ columns: [Column]) -> RowOutput {
        var header = JSONObject()
        header.add("index", index.name)
        header.add("kind", IndexText.kind(index.kind))
        return RowOutput(
            "index.dump", list: "rows", columns, output, header: header, empty: "(empty)")
    }

    private func requireTable() throws -> String {
        guard let table = objects.table, objects.all.contains(where: { $0.name == table }) else {
            throw damage
        }
        return table
    }

    private var damage: ToolError {
        ToolError(
            "the index \(Text.line(index.name)) has no table: it is damaged; rebuild it with "
                + "reindex or re-create it", status: .damaged)
    }
}

// The kinds of indexes.
extension IndexDump {
    /// Writes the documents of a vector index, with the cells of their vectors.
    private func writeVectors() throws {
        let table = index.vectorTables[1]
        guard objects.all.contains(where: { $0.name == table }) else { throw damage }
        var rows = rows([Column("id", "ID"), Column("cell", "Cell", isNumber: true)])
        let context = try snapshot.connection().context
        try context.forEach(
            "SELECT d.key, v.cell FROM \(table.sqlName) AS v "
                + "JOIN \(index.keyStore.tableName.sqlName) AS d ON d.rowid = v.docid LIMIT ?",
            [.long(Int64(limit))]
        ) { row in
            try rows.add([.text(row.text(at: 0) ?? ""), .integer(row.long(at: 1))])
        }
        try rows.finish()
    }

    /// Writes the stored values in the order of the index.
    private func writeValues() throws {
        guard let object = objects.all.first, let text = object.sql,
            let parts = IndexSQLText(text)
        else {
            throw ToolError(
                "the index \(Text.line(index.name)) is registered but does not exist: it is "
                    + "damaged; re-create it", status: .damaged)
        }
        let sql = """
            SELECT \(parts.expressions), key
            FROM \(SQLText.name(object.table)) INDEXED BY \(SQLText.name(object.name))
            \(parts.condition.map { "WHERE \($0)" } ?? "")
            ORDER BY \(parts.expressions)
            """
        var output: RowOutput?
        try snapshot.sqlRows(
            limited(sql),
            columns: { names in
                output = rows(Self.valueColumns(names.count - 1))
            }
        ) { row in
            try output?.add(
                [.text(row.value(at: row.count - 1).textValue ?? "")]
                    + (0..<row.count - 1).map { Self.cell(row.value(at: $0)) })
            return true
        }
        try output?.finish()
    }

    private static func valueColumns(_ count: Int) -> [Column] {
        let values = (1...max(count, 1)).map { number in
            let suffix = count == 1 ? "" : "\(number)"
            return Column("value\(suffix)", count == 1 ? "Value" : "Value \(number)")
        }
        return [Column("id", "Document", isKey: true)] + values
    }

    private func writeElements() throws {
        let tables = objects.all.filter { $0.type == "table" }.map(\.name)
        _ = try requireTable()
        var joins = ""
        var inner = "t0"
        for (level, table) in tables.enumerated().dropFirst() {
            joins += " JOIN \(SQLText.name(table)) AS t\(level) ON t\(level).rowid = \(inner).docid"
            inner = "t\(level)"
        }
        // From the outermost array to the innermost.
        let positions = tables.indices.reversed().map { "t\($0).i" }
        let sql = """
            SELECT d.key, \(positions.joined(separator: " || ',' || ")), fl_unnested_value(t0.body)
            FROM \(SQLText.name(tables[0])) AS t0\(joins)
                JOIN \(SQLText.name(storeTable)) AS d ON d.rowid = \(inner).docid
            ORDER BY d.key, \(positions.joined(separator: ", "))
            """
        try write(
            limited(sql),
            [
                Column("id", "Document", isKey: true), Column("place", "Position", isNumber: true),
                Column("value", "Element"),
            ])
    }

    private func writeResults() throws {
        let table = try requireTable()
        let sql = """
            SELECT d.key, fl_unnested_value(t.body)
            FROM \(SQLText.name(table)) AS t JOIN \(SQLText.name(storeTable)) AS d
                ON d.rowid = t.docid
            ORDER BY d.key
            """
        try write(
            limited(sql),
            [Column("id", "Document", isKey: true), Column("result", "Result")])
    }

    private func writeWords() throws {
        let table = try requireTable()
        var output = rows([
            Column("word", "Word", isKey: true),
            Column("documents", "Documents", isNumber: true),
            Column("occurrences", "Occurrences", isNumber: true),
        ])
        var count = 0
        try IndexedWords(table, snapshot).forEach { word in
            guard count < limit else { return false }
            count += 1
            try output.add([
                .text(word.text), .number(word.documents), .number(word.occurrences),
            ])
            return true
        }
        try output.finish()
    }

    /// The table of the live documents.
    private var storeTable: String {
        "kv_"
            + index.keyStore.rawName.unicodeScalars
            .map { ("A"..."Z").contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }

    private func limited(_ sql: String) -> String {
        limit == .max ? sql : sql + " LIMIT \(limit)"
    }

    private func write(_ sql: String, _ columns: [Column]) throws {
        var output = rows(columns)
        try snapshot.sqlRows(sql) { row in
            try output.add((0..<row.count).map { Self.cell(row.value(at: $0)) })
            return true
        }
        try output.finish()
    }

    /// A stored value of an index. Arrays, and other types that SQL lacks, are Fleece.
    private static func cell(_ value: SQLValue) -> Cell {
        switch value {
        case .null: return .none
        case .long(let number): return .integer(number)
        case .real(let number): return .decimal(number)
        case .text(let text): return .text(text)
        case .blob:
            let bytes = value.bytesValue ?? []
            var object = JSONObject()
            var text = JSONText()
            text.append(base64: bytes)
            object.add("@data", text.string)
            return .both("x'\(Hexadecimal.encoded(bytes))'", program: .json(object.finished()))
        }
    }
}

/// The parts of `CREATE INDEX … ON … (expressions) WHERE condition`.
struct IndexSQLText {
    let expressions: String
    let condition: String?

    /// Returns nil for other text.
    init?(_ sql: String) {
        let bytes = Array(sql.utf8)
        guard let start = Self.parenthesis(bytes, from: 0, UInt8(ascii: "(")) else { return nil }
        var depth = 0
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case let quote where Self.isQuote(quote): position = Self.end(of: bytes, from: position)
            default: break
            }
            if depth == 0 { break }
            position += 1
        }
        guard position < bytes.count else { return nil }
        expressions = String(decoding: bytes[(start + 1)..<position], as: UTF8.self)
        let rest = String(decoding: bytes[(position + 1)...], as: UTF8.self)
        condition = rest.firstRange(of: "WHERE ").map { String(rest[$0.upperBound...]) }
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`")].contains(byte)
    }

    /// The position of the closing quote; the end of the text if there is none.
    private static func end(of bytes: [UInt8], from position: Int) -> Int {
        bytes[(position + 1)...].firstIndex(of: bytes[position]) ?? bytes.count
    }

    private static func parenthesis(_ bytes: [UInt8], from position: Int, _ sign: UInt8) -> Int? {
        var position = position
        while position < bytes.count {
            if bytes[position] == sign { return position }
            position = isQuote(bytes[position]) ? end(of: bytes, from: position) + 1 : position + 1
        }
        return nil
    }
}
