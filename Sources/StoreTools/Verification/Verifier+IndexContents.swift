internal import DataFileCore
internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import VectorIndex

// Compares the tables of indexes with the documents.
extension Verifier {
    /// - Parameter done: the tables that have been compared, since indexes can share them.
    func checkContents(
        _ row: IndexRow, _ schema: IndexSchema, _ done: inout Set<ExactString>
    ) throws {
        guard options.level == .full else { return }
        guard sharedKeys != nil else { return leave(row, "the shared keys are damaged") }
        if let model = row.missingModels.first {
            return leave(row, "it needs the model \(model), which this program does not have")
        }
        if row.vectorOptions != nil { return try comparing(row) { try compareVectors(row) } }
        for (level, table) in schema.tables.enumerated() {
            guard done.insert(ExactString(table.name)).inserted else { continue }
            guard !isDamaged(row, table, schema, level) else {
                leave(row, "its pages, or those of the documents, are damaged")
                continue
            }
            try comparing(row) { try compare(table, level, of: row, schema) }
        }
        guard row.kind == .fullText, let table = row.table, let text = text(ofTable: table),
            !isDamaged(row, schema.tables[0], schema, 0)
        else { return }
        try checkWords(row, table, text)
    }

    private func text(ofTable name: String) -> String? {
        objects.first { $0.type == "table" && $0.name.hasSameBytes(as: name) }?.sql
    }

    private func isDamaged(
        _ row: IndexRow, _ table: IndexTable, _ schema: IndexSchema, _ level: Int
    ) -> Bool {
        let source = level == 0 ? row.store.tableName : schema.tables[level - 1].name
        let parts = SchemaSQL.fullTextSuffixes.map { table.name + $0 }
        return ([source, table.name] + parts).contains { isDamaged($0) }
    }

    /// Runs `body`. If a model or function fails, notes that the index was not compared.
    private func comparing(_ row: IndexRow, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as SQLError where error.isMisfit {
            leave(row, "it cannot be compared", error)
        } catch let error as SQLError where error.isDamage {
            sink.add(
                .indexRows, "the index \(row.name) cannot be read: \(error.message)",
                store: row.store, index: row.name)
        }
    }

    /// Compares a vector index.
    private func compareVectors(_ row: IndexRow) throws {
        guard let open = try connection.vectorIndex(row.name) else { return }
        let found = try open.differences()
        for damage in found.damage { noteVectors("\(damage)", row) }
        guard !found.wrong.isEmpty || !found.surplus.isEmpty else {
            if found.damage.isEmpty { try noteLeftOut(try open.statistics(), row) }
            return
        }
        let keys = try (found.wrong + found.surplus).prefix(Self.examples).map { docid in
            try context.first(
                "SELECT key FROM main.\(row.store.tableName.sqlName) WHERE rowid=?",
                [.long(docid)]
            ) { $0.text(at: 0) ?? "" }.map { "\"\($0)\"" } ?? "row \(docid), which does not exist"
        }
        noteVectors(
            "it has \(found.wrong.count) wrong and \(found.surplus.count) unexpected vectors, such "
                + "as those of \(keys.joined(separator: ", "))", row)
    }

    /// Tells of documents whose value is not a vector of the index. What is left out of a lazy
    /// index is for the application to say.
    private func noteLeftOut(_ statistics: VectorIndexStatistics, _ row: IndexRow) throws {
        guard statistics.leftOut > 0, !statistics.options.isLazy else { return }
        let ids = statistics.leftOutIDs.prefix(Self.examples).map { "\"\($0)\"" }
        sink.add(
            .leftOutVectors,
            "the vector index \(row.name) leaves out \(statistics.leftOut) documents whose value "
                + "is not a vector that it can have (\(statistics.options.dimensions) dimensions), "
                + "such as \(ids.joined(separator: ", "))", store: row.store, index: row.name)
    }

    private func noteVectors(_ message: String, _ row: IndexRow) {
        sink.add(
            .indexRows, "the vector index \(row.name): \(message)", store: row.store,
            index: row.name, object: row.table)
    }

    /// The number of source rows that one statement compares.
    private static let rowsOfStep = 10_000

    private func compare(
        _ table: IndexTable, _ level: Int, of row: IndexRow, _ schema: IndexSchema
    ) throws {
        guard let comparison = try comparison(of: table, row) else {
            return leave(row, "the expected contents of its table are unknown")
        }
        let boundary = try context.prepare(
            sql: "SELECT rowid FROM main.\(table.source) WHERE rowid >= ? ORDER BY rowid "
                + "LIMIT 1 OFFSET \(Self.rowsOfStep - 1)")
        var missing = 0
        var surplus = 0
        var examples: [Int64] = []
        var first: Int64? = .min
        while let start = first {
            try context.checkCancellation()
            let end = try boundary.first(start) ?? .max
            try comparison.bind(start, at: 1)
            try comparison.bind(end, at: 2)
            while try comparison.next() {
                if comparison.long(at: 0) == 0 { missing += 1 } else { surplus += 1 }
                let rowid = comparison.long(at: 1)
                if examples.count < Self.examples, !examples.contains(rowid) {
                    examples.append(rowid)
                }
            }
            first = end < .max ? end + 1 : nil
        }
        guard missing + surplus > 0 else { return }
        let keys = try examples.map { try key(of: $0, level, row, schema) }
        let names = zip(keys, examples).map { key, rowid in
            key.map { "\"\($0)\"" } ?? "row \(rowid), which does not exist"
        }
        sink.add(
            .indexRows,
            "the table \(table.name) of the index \(row.name) has \(missing) missing and "
                + "\(surplus) unexpected rows, such as those of \(names.joined(separator: ", "))",
            store: row.store, key: keys.compactMap(\.self).first, index: row.name,
            object: table.name)
    }

    /// The statement that compares a table with its expected contents, for a range of its source's
    /// rows. It returns 0 and a missing row, or 1 and a surplus row.
    private func comparison(of table: IndexTable, _ row: IndexRow) throws -> SQLStatement? {
        guard let expected = table.expectedRows else { return nil }
        var columns = ["docid", "body"]
        var found = table.name
        switch row.kind {
        case .fullText:
            // FTS4 stores the strings in an auxiliary table with numbered columns.
            found += SchemaSQL.fullTextSuffixes[0]
            let paths = row.definition?.expressions ?? []
            columns = ["docid"]
            for (number, path) in paths.enumerated() {
                guard case .property(let path) = path else { return nil }
                columns.append("c\(number)\(path)")
            }
        case .array: columns = ["docid", "i", "body"]
        default: break
        }
        let names = columns.indices.map { "v\($0)" }.joined(separator: ", ")
        // Qualified by the alias: SQLite takes an unknown quoted name for a string literal.
        let list = columns.map { "t.\($0.sqlName)" }.joined(separator: ", ")
        // A table of predictions has no rows for missing results.
        let filter = row.kind == .predictive ? " WHERE v1 IS NOT NULL" : ""
        return try context.prepare(
            sql: """
                WITH expected(\(names)) AS MATERIALIZED (\(expected)),
                    found(\(names)) AS MATERIALIZED (
                        SELECT \(list) FROM main.\(found.sqlName) AS t
                        WHERE t.docid BETWEEN ?1 AND ?2)
                SELECT 0, v0 FROM (SELECT * FROM expected\(filter) EXCEPT SELECT * FROM found)
                UNION ALL
                SELECT 1, v0 FROM (SELECT * FROM found EXCEPT SELECT * FROM expected)
                """)
    }

    /// The key of the document to which a row of a level's source belongs.
    private func key(
        of rowid: Int64, _ level: Int, _ row: IndexRow, _ schema: IndexSchema
    ) throws -> String? {
        var rowid = rowid
        for table in schema.tables.prefix(level).reversed() {
            let outer = try context.first(
                "SELECT docid FROM main.\(table.name.sqlName) WHERE rowid=?", [.long(rowid)]
            ) { $0.long(at: 0) }
            guard let outer else { return nil }
            rowid = outer
        }
        return try context.first(
            "SELECT key FROM main.\(row.store.tableName.sqlName) WHERE rowid=?", [.long(rowid)]
        ) { $0.text(at: 0) ?? "" }
    }
}

extension SQLStatement {
    /// The integer in the first row for a parameter; nil if there is none.
    fileprivate func first(_ number: Int64) throws -> Int64? {
        defer { reset() }
        try bind(number, at: 1)
        return try next() ? long(at: 0) : nil
    }
}
