package import SQLCore
internal import StoreFormat

/// Rebuilds an index from the documents, after it was found to be incorrect.
package struct IndexRebuilding {
    package let context: SQLContext
    package let progress: ((IndexProgress) -> Bool)?

    package init(context: SQLContext, progress: ((IndexProgress) -> Bool)?) {
        self.context = context
        self.progress = progress
    }

    /// Throws `.unsupported` for an index whose definition is unknown, and for vector indexes of
    /// other programs.
    package func run(_ row: IndexRow) throws {
        guard row.kind != .value else {
            try reindex(row)
            return IndexProgressReport(steps: 1, progress).finish()
        }
        let schema = try schema(row)
        let report = IndexProgressReport(steps: schema.stepCount, progress)
        let creation = IndexCreation(context: context, progress: report)
        // Afterwards all documents count as changed.
        if row.kind == .vector { return try creation.run(schema) }
        if row.kind == .array { for table in schema.tables { try requireTable(table, of: row) } }
        // The triggers of a level empty the levels inside it.
        for table in schema.tables.reversed() { try empty(table, isVirtual: row.kind == .fullText) }
        // The triggers of a level fill the levels inside it.
        if let outermost = schema.tables.first { try creation.fill(outermost) }
        if schema.index != nil { try reindex(row) }
        for trigger in schema.tables.flatMap(\.triggers) {
            let owner = try context.first(SchemaSQL.ownerOfName, [.text(trigger.name)]) { _ in true
            }
            if owner == nil { try context.exec(sql: trigger.sql) }
        }
        report.finish()
    }

    /// Requires the table of an array index. It had another name before LiteCore 3.2.1.
    private func requireTable(_ table: IndexTable, of row: IndexRow) throws {
        guard try context.columns(ofTable: table.name) == nil else { return }
        throw StoreError(
            .unsupported,
            "the index \(row.name) has no table \(table.name): it is damaged, or an older version "
                + "created it; delete the index and create it again")
    }

    /// Empties a table. A full-text table is dropped and created, since it may be damaged.
    private func empty(_ table: IndexTable, isVirtual: Bool) throws {
        guard isVirtual else {
            return try context.exec(sql: "DELETE FROM main.\(table.name.sqlName)")
        }
        let sql = try context.first(SchemaSQL.textOfName, [.text(table.name)]) { $0.text(at: 0) }
        guard let sql = sql ?? nil else {
            throw StoreError(.corruptData, "the table \(table.name) of the index is missing")
        }
        try context.exec(sql: "DROP TABLE main.\(table.name.sqlName)")
        try context.exec(sql: sql)
    }

    /// Throws `.corruptData` if SQLite does not have the registered index.
    private func reindex(_ row: IndexRow) throws {
        do {
            try context.exec(sql: "REINDEX main.\(row.name.sqlName)")
        } catch let error as SQLError where error.code == .error {
            let owner = try context.first(SchemaSQL.ownerOfName, [.text(row.name)]) {
                $0.text(at: 0) ?? ""
            }
            guard owner != "index" else { throw error }
            throw StoreError(
                .corruptData,
                "the index \(row.name) is missing in the file; verify the file and fix it")
        }
    }

    /// The schema of the index according to the registry.
    private func schema(_ row: IndexRow) throws -> IndexSchema {
        guard let expressions = row.expressions, let kind = try kind(row) else {
            throw StoreError(
                .unsupported,
                "the index \(row.name) cannot be rebuilt, since its definition is unknown; "
                    + "delete the index and create it again")
        }
        return try IndexSpec(row.name, kind, on: expressions, where: row.condition)
            .schema(of: row.store)
    }

    private func kind(_ row: IndexRow) throws -> IndexSpec.Kind? {
        switch row.kind {
        case .fullText: .fullText(FullTextOptions())
        case .array: row.arrayPath.map { .array(path: $0) }
        case .predictive: .predictive(PredictiveOptions())
        case .vector: row.vectorOptions.map { .vector($0) }
        default: nil
        }
    }
}

extension IndexRow {
    /// The array path of an index, from the name of its table.
    var arrayPath: String? {
        guard kind == .array, let table else { return nil }
        let prefix = store.tableName + ":unnest:"
        guard table.utf8.starts(with: prefix.utf8) else { return nil }
        let path = KeyStoreName.unmangled(table.dropFirst(prefix.count))
        // The name of a partial index's table has the condition's hash after the first level.
        let suffix = (try? TriggerCondition(definition?.condition, name))?.suffix ?? ""
        guard let range = path.firstRange(of: suffix), !suffix.isEmpty else { return path }
        return String(path[..<range.lowerBound] + path[range.upperBound...])
    }
}
