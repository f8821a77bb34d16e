internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import VectorIndex

/// Vector indexes: a table of changed documents, maintained by triggers that call no functions, and
/// tables that follow from them and the documents.
enum VectorIndexSchema {
    /// The schema of an index with this definition.
    ///
    /// Throws `.invalidQuery`, or `.invalidParameter` for impossible options.
    static func schema(
        _ spec: IndexSpec, _ definition: IndexDefinition, _ options: VectorIndexOptions,
        _ store: KeyStoreName
    ) throws -> IndexSchema {
        try options.validate()
        guard definition.expressions.count == 1 else {
            throw StoreError.invalidQuery(
                "the vector index \(spec.name) must be on one expression")
        }
        guard !definition.expressions[0].readsMetadata else {
            throw StoreError.invalidQuery(
                "the vector index \(spec.name) can use META().id only: other metadata changes "
                    + "without the document")
        }
        _ = try TriggerCondition(definition.condition, spec.name)
        let base = VectorTables.base(spec.name, of: store)
        let tables = VectorTables(base: base)
        var row = IndexRow(spec, .vector, store, table: base)
        row.vectorOptions = options
        return IndexSchema(
            tables: [table(tables.pendingName, tables.createPending, on: store.tableName)],
            otherTables: tables.createOthers, index: nil, row: row)
    }

    /// Whether a trigger is that of a vector index, byte for byte; so it is if its registration is
    /// damaged, too.
    static func isTrigger(_ trigger: SchemaObject, of table: String) -> Bool {
        self.table(table, "", on: trigger.table).triggers.contains {
            trigger.name.hasSameBytes(as: $0.name)
                && trigger.sql?.hasSameBytes(as: $0.sql) == true
        }
    }

    /// The table of changed documents.
    private static func table(
        _ name: String, _ sql: String, on collection: String
    ) -> IndexTable {
        let source = collection.sqlName
        let insert = "INSERT INTO \(name.sqlName) (docid) "
        // Without OR IGNORE, which the conflict clause of another program's statement replaces.
        func trigger(
            _ suffix: String, _ event: String, _ row: String, from rows: String = "WHERE"
        ) -> IndexTable.Trigger {
            .init(
                suffix, of: name, event, on: source, when: nil,
                insert + "SELECT \(row).rowid \(rows) NOT EXISTS (SELECT 1 FROM \(name.sqlName) "
                    + "WHERE docid = \(row).rowid)")
        }
        // A row that REPLACE deletes fires no trigger of its own.
        let replaced = "FROM \(source) AS same WHERE same.key = new.key AND"
        return IndexTable(
            name: name, sql: sql, source: source,
            triggers: [
                trigger("preinsert", "BEFORE INSERT", "same", from: replaced),
                trigger("preupdate", "BEFORE UPDATE OF key", "same", from: replaced),
                trigger("ins", "AFTER INSERT", "new"), trigger("del", "AFTER DELETE", "old"),
                trigger("upd", "AFTER UPDATE OF key, body, flags", "new"),
            ],
            fill: IndexTable.Fill(
                insert: insert + "SELECT new.rowid FROM \(source) AS new", alias: "new.",
                condition: nil), isShared: false)
    }
}
