internal import DataFileCore
internal import SQLCore
internal import StoreFormat

/// What `DataFile.fix` has fixed, and what it could not fix.
///
/// Findings that are not fixable appear in neither list. Verify again to see what remains:
///
/// ```swift
/// let fixed = try file.fix(try file.verify().findings)
/// if !fixed.failed.isEmpty { show("not fixed:", fixed.failed) }
/// let report = try file.verify()
/// if !report.isIntact { show("recover the documents with Salvage") }
/// ```
public struct VerificationFix: Hashable, Sendable {
    /// The fixes, each described in one line, such as `the index byAge was rebuilt`.
    public internal(set) var done: [String] = []
    /// The fixes that failed and changed nothing, each with the reason in one line.
    public internal(set) var failed: [String] = []
}

/// Fixes an index that lacks objects, has incorrect ones, or has incorrect contents.
struct IndexFix {
    let context: SQLContext
    let row: IndexRow

    /// Throws `.unsupported` for an index whose definition is unknown, and for vector indexes.
    func run(in transaction: Transaction) throws -> [String] {
        guard let schema = try row.definedSchema() else {
            throw StoreError(
                .unsupported,
                "the index \(row.name) cannot be rebuilt, since its definition is unknown; "
                    + "delete the index and create it again")
        }
        try transaction.savepoint {
            try dropOtherParts(schema)
            if row.kind != .fullText {
                // Incomplete tables are dropped and created with all their contents.
                let report = IndexProgressReport(steps: schema.stepCount, nil)
                try IndexCreation(context: context, progress: report).run(schema)
            }
            try IndexRebuilding(context: context, progress: nil).run(row)
            try transaction.recordCollationVersion(of: row)
        }
        return ["the index \(row.name) was rebuilt"]
    }

    /// Drops triggers and the index if their SQL is not the expected one, so that they can be
    /// created.
    private func dropOtherParts(_ schema: IndexSchema) throws {
        for trigger in schema.tables.flatMap(\.triggers) {
            guard try !context.hasSchema(trigger.name, as: [trigger.sql]) else { continue }
            try context.exec(sql: "DROP TRIGGER IF EXISTS main.\(trigger.name.sqlName)")
        }
        guard let index = schema.index else { return }
        let statements = [index.sql(row.name), index.quotedSQL(row.name)]
        guard try !context.hasSchema(row.name, as: statements) else { return }
        try context.exec(sql: "DROP INDEX IF EXISTS main.\(row.name.sqlName)")
    }
}
