internal import DataFileCore
internal import SQLCore
internal import StoreFormat

/// What `DataFile.fix` has put right, and what it has not.
public struct VerificationRepair: Hashable, Sendable {
    /// What was done, a line for each thing.
    public internal(set) var done: [String] = []
    /// What was tried and is as it was, and why, a line for each thing.
    public internal(set) var failed: [String] = []
}

/// Puts an index right that lacks parts, has other ones, or does not hold what it should.
struct IndexRepair {
    let context: SQLContext
    let row: IndexRow

    /// Throws `.unsupported` for an index whose definition is not known, and for those of vectors.
    func run(in transaction: Transaction) throws -> [String] {
        guard let schema = try row.definedSchema() else {
            throw StoreError(
                .unsupported,
                "the index \(row.name) cannot be created again, since its definition is not known; "
                    + "delete it and create it")
        }
        try transaction.savepoint {
            try dropOtherParts(schema)
            if row.kind != .fullText {
                // Tables that lack a part are created again with all that is in them.
                let report = IndexProgressReport(steps: schema.stepCount, nil)
                try IndexCreation(context: context, progress: report).run(schema)
            }
            try IndexRebuilding(context: context, progress: nil).run(row)
            try transaction.recordCollationVersion(of: row)
        }
        return ["the index \(row.name) was created again"]
    }

    /// Drops triggers and the index that are there under other texts, so that they can be made.
    private func dropOtherParts(_ schema: IndexSchema) throws {
        for trigger in schema.tables.flatMap(\.triggers) {
            guard try !context.hasSchema(trigger.name, as: [trigger.sql]) else { continue }
            try context.exec(sql: "DROP TRIGGER IF EXISTS main.\(trigger.name.sqlName)")
        }
        guard let index = schema.index else { return }
        let texts = [index.sql(row.name), index.quotedSQL(row.name)]
        guard try !context.hasSchema(row.name, as: texts) else { return }
        try context.exec(sql: "DROP INDEX IF EXISTS main.\(row.name.sqlName)")
    }
}
