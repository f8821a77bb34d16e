internal import QueryLanguage
package import SQLCore
internal import StoreFormat
internal import StorePlatform

/// What an index consists of: things of the schema, as their SQL text.
package struct IndexSchema {
    /// Tables that must be there before the index, the outermost first.
    package var tables: [IndexTable] = []
    /// The index of SQLite's own on a table; nil if the last table is all.
    package var index: SQLiteIndex?
    /// What the registry says of it.
    package var row: IndexRow

    /// How many tables and indexes are made, for a report of progress.
    package var stepCount: Int { tables.count + (index == nil ? 0 : 1) }

    /// `CREATE INDEX`
    package struct SQLiteIndex {
        package let table: String
        package let expressions: [String]
        package let condition: String?

        package init(table: String, expressions: [String], condition: String?) {
            self.table = table
            self.expressions = expressions
            self.condition = condition
        }

        /// The text, in LiteCore's words.
        package func sql(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlIdentifier, on: table.sqlIdentifier, expressions, where: condition)
        }

        /// The text with all names in quotes, as LiteCore before 3.1 wrote it.
        package func quotedSQL(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlName, on: table.sqlName, expressions, where: condition)
        }
    }
}

/// A table that triggers keep, and that several indexes can share.
package struct IndexTable {
    package let name: String
    package let sql: String
    /// The table whose rows it is made of, quoted.
    package let source: String
    package let triggers: [Trigger]
    package let fill: Fill
    /// Whether its definition can change under the same name.
    let isShared: Bool

    /// A trigger, by its suffix and its text.
    package struct Trigger {
        package let name: String
        package let sql: String
    }

    /// `INSERT INTO … SELECT … FROM source AS alias … WHERE …`, without the range of rows.
    package struct Fill {
        let insert: String
        /// The alias of the source table, with a dot.
        let alias: String
        let condition: String?

        /// The statement for the source's rows from one number to another.
        package var sql: String {
            insert + " WHERE " + (condition.map { "(\($0)) AND " } ?? "")
                + "\(alias)rowid BETWEEN ? AND ?"
        }
    }
}

extension String {
    /// The SHA-1 of the UTF-8, in hexadecimal, by which tables are named.
    var sha1Hexadecimal: String {
        var digest = SHA1()
        digest.add(Array(utf8))
        return Hexadecimal.encoded(digest.digest())
    }
}

extension Session {
    /// Checks that nothing of another program would run with a write, unless that is trusted.
    ///
    /// Costs a pass over the schema, once for each version of it.
    ///
    /// Throws `.unsupported`, naming it.
    func requireOwnSchema() throws {
        guard !trustsSchema, !isKnownOwnSchema else { return }
        try ForeignSchema.requireNone(in: context, path: path)
        isKnownOwnSchema = true
    }

    /// Runs `body`, which may evaluate what another program has added to the schema: no value may
    /// be longer than the whole file is then.
    ///
    /// Throws `.unsupported` if one would be, naming what is foreign.
    package func boundingForeignSchema<T>(_ body: () throws -> T) throws -> T {
        guard !trustsSchema else { return try body() }
        let found = try ForeignSchema.find(in: context, path: path)
        guard let first = found.first(where: \.computesInReading) ?? found.first else {
            return try body()
        }
        do {
            return try context.withLongestValue(ForeignSchema.longestValue(in: context), body: body)
        } catch let error as SQLError where .tooBig ~= error.code {
            throw StoreError(
                .unsupported,
                "\(path): a value would be longer than the whole file; \(first.message): drop it, "
                    + "or open the file with trustsSchema", underlying: error)
        }
    }
}

extension ForeignSchema {
    /// Bytes that no stored value exceeds, as it would not fit into the file.
    package static func longestValue(in context: SQLContext) throws -> Int {
        let pages = try context.pragma("page_count")?.longValue ?? 0
        let size = try context.pragma("page_size")?.longValue ?? 0
        return max(1 << 20, Int(clamping: pages.multipliedReportingOverflow(by: size).partialValue))
    }
}

/// The condition of an index that triggers keep.
struct TriggerCondition {
    private let expression: QueryExpression?

    /// Throws `.invalidQuery` if it asks for what changes without the triggers: they are told of
    /// new bodies only.
    init(_ expression: QueryExpression?, _ name: String) throws {
        guard expression?.readsMetadata != true else {
            throw StoreError.invalidQuery(
                "of META() only the id can stand in the condition of the index \(name): the rest "
                    + "changes without the document")
        }
        self.expression = expression
    }

    /// The condition of a row under an alias; nil if there is none.
    func sql(_ alias: String) throws -> String? {
        try expression.map { try SQLExpressionWriter.sql($0, .records(alias: alias)) }
    }

    /// The same after another condition.
    func sql(_ alias: String, after first: String) throws -> String {
        try sql(alias).map { "\(first) AND (\($0))" } ?? first
    }

    /// What tells the tables of different conditions apart; empty without one.
    var suffix: String {
        expression.map { " WHERE " + QueryJSONWriter.text($0).sha1Hexadecimal } ?? ""
    }
}

extension IndexTable.Trigger {
    init(
        _ suffix: String, of table: String, _ event: String, on source: String,
        when condition: String?, _ action: String
    ) {
        name = table + "::" + suffix
        sql = SchemaSQL.createTrigger(
            suffix, of: table, event, on: source, when: condition, action)
    }
}
