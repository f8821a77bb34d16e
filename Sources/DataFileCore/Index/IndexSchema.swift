internal import QueryLanguage
package import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The objects of the schema that make up an index, as SQL.
package struct IndexSchema {
    /// The tables that the index needs, the outermost first.
    package var tables: [IndexTable] = []
    /// The names of tables that no trigger fills, and the statements that create them.
    package var otherTables: [(name: String, sql: String)] = []
    /// The SQLite index on a table; nil if the last table is the index.
    package var index: SQLiteIndex?
    /// The row in the registry.
    package var row: IndexRow

    /// The number of tables and indexes to create, for progress reports.
    package var stepCount: Int { tables.count + (index == nil ? 0 : 1) }

    /// A `CREATE INDEX` statement.
    package struct SQLiteIndex {
        package let table: String
        package let expressions: [String]
        package let condition: String?

        package init(table: String, expressions: [String], condition: String?) {
            self.table = table
            self.expressions = expressions
            self.condition = condition
        }

        /// The SQL as LiteCore writes it.
        package func sql(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlIdentifier, on: table.sqlIdentifier, expressions, where: condition)
        }

        /// The SQL with all names quoted, as LiteCore before 3.1 wrote it.
        package func quotedSQL(_ name: String) -> String {
            SchemaSQL.createIndex(
                name.sqlName, on: table.sqlName, expressions, where: condition)
        }
    }
}

/// A table that is maintained by triggers and can be shared by several indexes.
package struct IndexTable {
    package let name: String
    package let sql: String
    /// The table from whose rows it is filled, quoted.
    package let source: String
    package let triggers: [Trigger]
    package let fill: Fill
    /// Whether several indexes can share it, so that its definition can change under its name.
    let isShared: Bool

    /// A trigger.
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

        /// The statement for a range of the source's rowids.
        package var sql: String {
            insert + " WHERE " + (condition.map { "(\($0)) AND " } ?? "")
                + "\(alias)rowid BETWEEN ? AND ?"
        }
    }
}

extension String {
    /// The SHA-1 of the UTF-8 in hexadecimal, which is part of tables' names.
    var sha1Hexadecimal: String {
        var digest = SHA1()
        digest.add(Array(utf8))
        return Hexadecimal.encoded(digest.digest())
    }
}

extension Connection {
    /// Checks that writing would run nothing that another program has added, unless that is
    /// trusted. Costs a pass over the schema.
    ///
    /// Throws `.unsupported`, naming the object.
    func requireOwnSchema() throws {
        if !trustsSchema { try ForeignSchema.requireNone(in: context, path: path) }
    }

    /// Runs `body`, which may evaluate expressions that another program has added to the schema. No
    /// value may be longer than the whole file then.
    ///
    /// Throws `.unsupported` if one would be, naming the foreign object.
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
    /// A length in bytes that no stored value exceeds, since it would not fit into the file.
    package static func longestValue(in context: SQLContext) throws -> Int {
        let pages = try context.pragma("page_count")?.longValue ?? 0
        let size = try context.pragma("page_size")?.longValue ?? 0
        return max(1 << 20, Int(clamping: pages.multipliedReportingOverflow(by: size).partialValue))
    }
}

/// The condition of an index that is maintained by triggers.
struct TriggerCondition {
    private let expression: QueryExpression?

    /// Throws `.invalidQuery` if it reads metadata that changes without running the triggers, which
    /// run only when the body changes.
    init(_ expression: QueryExpression?, _ name: String) throws {
        guard expression?.readsMetadata != true else {
            throw StoreError.invalidQuery(
                "the condition of the index \(name) can use META().id only: other metadata "
                    + "changes without the document")
        }
        self.expression = expression
    }

    /// The condition on a row with an alias; nil if there is none.
    func sql(_ alias: String) throws -> String? {
        try expression.map { try $0.indexSQL(of: .documents(prefix: alias)) }
    }

    /// The condition, combined with a preceding one.
    func sql(_ alias: String, after first: String) throws -> String {
        try sql(alias).map { "\(first) AND (\($0))" } ?? first
    }

    /// A suffix that distinguishes the tables of different conditions; empty without a condition.
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
