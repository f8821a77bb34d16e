internal import QueryLanguage
internal import StoreFormat

/// Value indexes: SQLite indexes on expressions.
enum ValueIndex {
    /// The schema of an index with this definition.
    ///
    /// Throws `.invalidQuery`.
    static func schema(
        _ spec: IndexSpec, _ definition: IndexDefinition, _ store: KeyStoreName
    ) throws -> IndexSchema {
        guard !definition.expressions.isEmpty else {
            throw StoreError.invalidQuery("the index \(spec.name) has no expressions")
        }
        for expression in definition.expressions + (definition.condition.map { [$0] } ?? []) {
            try expression.requireIndexableBySQLite()
        }
        let index = IndexSchema.SQLiteIndex(
            table: store.tableName,
            expressions: try definition.expressions.map { try $0.indexSQL() },
            condition: try definition.condition.map { try $0.indexSQL() })
        return IndexSchema(index: index, row: IndexRow(spec, .value, store, table: nil))
    }
}

extension IndexRow {
    /// The registry row of an index that is to be created.
    init(_ spec: IndexSpec, _ kind: IndexInfo.Kind, _ store: KeyStoreName, table: String?) {
        self.init(
            name: spec.name, kind: kind, store: store, expression: spec.expressions.stored,
            condition: spec.condition, table: table, lastSequences: nil)
    }
}
