internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// The registered indexes, and objects that belong to none.
extension Verifier {
    func checkIndexes() throws {
        sink.report.indexes = registered.count
        var unregistered = OrphanCheck(self)
        var done: Set<ExactString> = []
        for row in registered {
            try attempt("the index \(row.name)") {
                let schema = try check(row)
                unregistered.claim(row, schema)
                if let schema { try checkContents(row, schema, &done) }
            }
        }
        for row in unsupported {
            leave(row, "this version does not know the options of this vector index")
            unregistered.claim(row, nil)
        }
        try attempt("objects that belong to no index") { unregistered.run() }
    }

    /// Checks the schema of an index. Returns nil if its expected schema is unknown.
    private func check(_ row: IndexRow) throws -> IndexSchema? {
        guard table(of: row.store, isTombstone: false) != nil else {
            sink.add(
                .orphanedRegistration,
                "the index \(row.name) is on \(row.store.displayName), which does not exist",
                store: row.store, index: row.name)
            return nil
        }
        guard let kind = row.kind, kind != .vector || row.vectorOptions != nil else {
            leave(row, "this version does not support its kind")
            return nil
        }
        guard let schema = try definedSchema(of: row) else { return nil }
        if let table = schema.row.table, row.table?.hasSameBytes(as: table) != true {
            sink.add(
                .differentIndexPart,
                "the index \(row.name) is registered with the table \(row.table ?? "none"), not "
                    + table, store: row.store, index: row.name, isFixable: false)
            return nil
        }
        if isOlderArray(row, schema) {
            leave(row, "its tables are named as in older versions")
            return nil
        }
        return checkParts(row, schema) ? schema : nil
    }

    private func definedSchema(of row: IndexRow) throws -> IndexSchema? {
        do {
            if let schema = try row.definedSchema() { return schema }
            leave(row, "its definition is unknown")
        } catch let error as StoreError {
            let own = "the index \(row.name): "
            let message = error.message
            let reason = message.hasPrefix(own) ? String(message.dropFirst(own.count)) : message
            leave(row, "this version does not accept its definition: \(reason)")
        }
        return nil
    }

    /// Notes that an index is not checked because SQLite fails.
    func leave(_ row: IndexRow, _ what: String, _ error: SQLError) {
        leave(row, error.missingPart.map { "it needs \($0)" } ?? "\(what): \(error.message)")
    }

    /// Notes that an index is not checked.
    func leave(_ row: IndexRow, _ reason: String) {
        sink.add(
            .uncheckedIndex, "not checked: \(reason)", store: row.store, index: row.name)
        sink.skip("the index \(row.name)", reason)
    }

    /// Whether the tables of an array index have the names used before 3.2.1.
    private func isOlderArray(_ row: IndexRow, _ schema: IndexSchema) -> Bool {
        guard row.kind == .array, let plainName = row.table else { return false }
        return hasTable(plainName)
    }

    /// Checks that all objects exist and have the expected SQL. Returns whether they do.
    private func checkParts(_ row: IndexRow, _ schema: IndexSchema) -> Bool {
        var isWhole = true
        for table in schema.tables {
            isWhole = check(table, of: row) && isWhole
            if row.kind == .fullText { isWhole = checkTables(ofWords: table, row) && isWhole }
            for trigger in table.triggers {
                isWhole = check(trigger, of: row) && isWhole
            }
        }
        for (name, sql) in schema.otherTables {
            isWhole = check(name, as: sql, isFixable: true, of: row) && isWhole
        }
        if let index = schema.index { isWhole = check(index, of: row) && isWhole }
        return isWhole
    }

    /// The SQL of an object in the schema; nil if it does not exist.
    private func text(_ type: String, _ name: String) -> String? {
        objects(named: name).first { $0.type == type }?.sql
    }

    private func check(_ table: IndexTable, of row: IndexRow) -> Bool {
        // The language of a full-text index is stored only in its table.
        check(table.name, as: table.sql, isFixable: row.kind != .fullText, of: row)
    }

    private func check(
        _ table: String, as sql: String, isFixable: Bool, of row: IndexRow
    ) -> Bool {
        guard let text = text("table", table) else {
            sink.add(
                .missingIndexPart, "the table \(table) of the index \(row.name) is missing",
                store: row.store, index: row.name, object: table, isFixable: isFixable)
            return false
        }
        let isSame =
            row.kind == .fullText
            ? FullTextTable.isSame(text, asPlain: sql) : text.hasSameBytes(as: sql)
        if !isSame {
            sink.add(
                .differentIndexPart,
                "the table \(table) of the index \(row.name) has an unexpected definition",
                store: row.store, index: row.name, object: table, isFixable: isFixable)
        }
        return isSame
    }

    /// Checks the auxiliary tables of FTS4.
    private func checkTables(ofWords table: IndexTable, _ row: IndexRow) -> Bool {
        guard text("table", table.name) != nil else { return false }
        let missing = SchemaSQL.fullTextSuffixes.filter { !hasTable(table.name + $0) }
        for suffix in missing {
            sink.add(
                .missingIndexPart,
                "the table \(table.name + suffix) of the index \(row.name) is missing",
                store: row.store, index: row.name, object: table.name + suffix)
        }
        return missing.isEmpty
    }

    private func check(_ trigger: IndexTable.Trigger, of row: IndexRow) -> Bool {
        let text = text("trigger", trigger.name)
        if text?.hasSameBytes(as: trigger.sql) == true { return true }
        sink.add(
            text == nil ? .missingTrigger : .differentTrigger,
            text == nil
                ? "the trigger \(trigger.name) of the index \(row.name) is missing"
                : "the trigger \(trigger.name) of the index \(row.name) has an unexpected "
                    + "definition",
            store: row.store, index: row.name, object: trigger.name)
        return false
    }

    private func check(_ index: IndexSchema.SQLiteIndex, of row: IndexRow) -> Bool {
        let statements = [index.sql(row.name), index.quotedSQL(row.name)]
        let text = text("index", row.name)
        if let text, statements.contains(where: { $0.hasSameBytes(as: text) }) { return true }
        sink.add(
            text == nil ? .missingIndexPart : .differentIndexPart,
            text == nil
                ? "the index \(row.name) is registered, but SQLite does not have it"
                : "the index \(row.name) does not match its registered definition",
            store: row.store, index: row.name, object: row.name)
        return false
    }
}
