package import SQLCore

/// An index of a store's table that is created when it is first needed.
///
/// LiteCore creates and uses the same indexes, so name and text are part of the format.
package enum LazyIndex: CaseIterable {
    /// All rows by sequence, which is unique.
    case sequences
    /// The rows of conflicted documents.
    case conflicts
    /// The rows whose bodies refer to blobs.
    case attachments

    /// The result of requesting an index.
    package enum Outcome: Equatable, Sendable {
        /// It existed.
        case existing
        /// It was created.
        case created
        /// The file is damaged: two rows of the table have the same sequence. The caller has to do
        /// without the index.
        case duplicateSequences
        /// Another object has its name.
        case nameTaken
    }

    /// The index's name, not quoted.
    package func name(table: String) -> String {
        switch self {
        case .sequences: table + "_seqs"
        case .conflicts: table + "_conflicts"
        case .attachments: table + "_blobs"
        }
    }

    /// The condition for rows in the index; nil for all rows. SQLite only uses the index for a
    /// query that contains exactly this condition.
    var condition: String? {
        switch self {
        case .sequences: nil
        case .conflicts: "(flags & 2) != 0"
        case .attachments: "(flags & 4) != 0"
        }
    }

    /// The statement that creates it.
    package func sql(table: String) -> String {
        SchemaSQL.createLazyIndex(
            name(table: table), table: table, column: self == .sequences ? "sequence" : "flags",
            condition: condition)
    }

    /// The table expression of a query that must use the index: for a result ordered by key, SQLite
    /// would otherwise read every row through the primary key's index.
    ///
    /// A query that cannot use the index, because it lacks `condition`, does not compile.
    func source(table: String) -> String {
        "\(table.sqlName) INDEXED BY \(name(table: table).sqlName)"
    }

    /// Whether the table has this index.
    func exists(on table: String, in context: SQLContext) throws -> Bool {
        try context.first(
            SchemaSQL.indexExists, [.text(name(table: table)), .text(table)]
        ) { _ in true } ?? false
    }

    /// Creates the index if it does not exist, in the caller's transaction.
    ///
    /// Reads one small column of each row, without the bodies on overflow pages; for sequences it
    /// also sorts them.
    package func create(on table: String, in context: SQLContext) throws -> Outcome {
        try context.requireTransaction(for: "creating an index")
        if try exists(on: table, in: context) { return .existing }
        let owner = try context.first(SchemaSQL.ownerOfName, [.text(name(table: table))]) { _ in
            true
        }
        guard owner == nil else { return .nameTaken }
        do {
            try context.exec(sql: sql(table: table))
            return .created
        } catch let error as SQLError where .constraint ~= error.code {
            return .duplicateSequences
        }
    }
}
