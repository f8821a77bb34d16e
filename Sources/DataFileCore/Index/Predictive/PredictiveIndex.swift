internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Predictive indexes: a table with a model's result for each document, maintained by triggers, and
/// an SQLite index on a property of the result.
enum PredictiveIndex {
    /// The schema of an index with this definition.
    ///
    /// Throws `.invalidQuery`.
    static func schema(
        _ spec: IndexSpec, _ definition: IndexDefinition, _ store: KeyStoreName
    ) throws -> IndexSchema {
        guard definition.expressions.count == 1,
            case .prediction(let model, let input, let property) = definition.expressions[0],
            case .literal(.string) = model
        else {
            throw StoreError.invalidQuery(
                "the predictive index \(spec.name) must be on one prediction('model', {…}, "
                    + ".property) whose model is a string literal")
        }
        guard !input.readsMetadata else {
            throw StoreError.invalidQuery(
                "the model's input in the index \(spec.name) can use META().id only: other "
                    + "metadata changes without the document")
        }
        let condition = try TriggerCondition(definition.condition, spec.name)
        let name = tableName(model, input, condition, store)
        let table = try table(
            name, .prediction(model: model, input: input, property: nil), condition, store)
        let index = property.map { property in
            IndexSchema.SQLiteIndex(
                table: name,
                expressions: [
                    "fl_unnested_value(body, \(("." + property.description).sqlLiteral))"
                ], condition: nil)
        }
        return IndexSchema(
            tables: [table], index: index, row: IndexRow(spec, .predictive, store, table: name))
    }

    /// The name of the table is a digest of the JSON of the prediction's parts, so that all indexes
    /// on a prediction share the table.
    static func tableName(
        _ model: QueryExpression, _ input: QueryExpression, _ condition: TriggerCondition,
        _ store: KeyStoreName
    ) -> String {
        let parts = [.string("PREDICTION()"), model, input].map { QueryJSONWriter.text($0) }
        var digest = SHA1()
        for part in parts + [condition.suffix] { digest.add(Array(part.utf8)) }
        let name = KeyStoreName.mangled(Base64.encoded(digest.digest()))
        return store.tableName + ":predict:" + name
    }

    private static func table(
        _ name: String, _ prediction: QueryExpression, _ condition: TriggerCondition,
        _ store: KeyStoreName
    ) throws -> IndexTable {
        let source = store.tableName.sqlName
        let value = try prediction.indexSQL(of: .documents(prefix: "new."))
        let insert = "INSERT INTO \(name.sqlName) (docid, body) "
        let filling = insert + "VALUES (new.rowid, \(value))"
        let delete = "DELETE FROM \(name.sqlName) WHERE docid = old.rowid"
        let old = try condition.sql("old.", after: SchemaSQL.isAlive("old."))
        let new = try condition.sql("new.", after: SchemaSQL.isAlive("new."))
        let updated = try condition.sql("new.", after: "(new.flags) & 1 = 0")
        let update = "UPDATE OF body, flags"
        return IndexTable(
            name: name, sql: SchemaSQL.createPredictionTable(name, parent: source),
            source: source,
            triggers: [
                .init("ins", of: name, "AFTER INSERT", on: source, when: new, filling),
                .init("del", of: name, "BEFORE DELETE", on: source, when: old, delete),
                .init("preupdate", of: name, "BEFORE " + update, on: source, when: old, delete),
                .init(
                    "postupdate", of: name, "AFTER " + update, on: source, when: updated, filling),
            ],
            fill: IndexTable.Fill(
                insert: insert + "SELECT new.rowid, \(value) FROM \(source) AS new",
                alias: "new.", condition: new),
            isShared: true)
    }
}
