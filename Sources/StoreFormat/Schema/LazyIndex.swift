package import SQLCore

/// An index that a store's tables get when it is first needed.
///
/// LiteCore makes and uses the same ones, so name and text are part of the format.
package enum LazyIndex: CaseIterable {
    /// By sequence, which no two rows share.
    case sequences
    /// Of the rows that are conflicted.
    case conflicts
    /// Of the rows whose bodies refer to blobs.
    case attachments

    /// What has become of the wish for an index.
    package enum Outcome: Equatable, Sendable {
        /// It was there.
        case existing
        /// It was made.
        case created
        /// The file is damaged: two rows of the table have one sequence. What needs the index has
        /// to do without it.
        case duplicateSequences
        /// Something else has its name.
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

    /// The condition of the rows in it, nil for all; a query must say it in these words for SQLite
    /// to see that the index holds all its rows.
    var condition: String? {
        switch self {
        case .sequences: nil
        case .conflicts: "(flags & 2) != 0"
        case .attachments: "(flags & 4) != 0"
        }
    }

    /// The statement that makes it.
    package func sql(table: String) -> String {
        SchemaSQL.createLazyIndex(
            name(table: table), table: table, column: self == .sequences ? "sequence" : "flags",
            condition: condition)
    }

    /// The table of a query that must read by the index: left to itself SQLite reads all rows when
    /// they are wanted by key, since those are in order already.
    ///
    /// A query that cannot use it, since it lacks `condition`, does not compile.
    func source(table: String) -> String {
        "\(table.sqlName) INDEXED BY \(name(table: table).sqlName)"
    }

    /// Whether the table has the index.
    func exists(on table: String, in context: SQLContext) throws -> Bool {
        try context.first(
            SchemaSQL.indexExists, [.text(name(table: table)), .text(table)]
        ) { _ in true } ?? false
    }

    /// Makes the index if it is missing, in the transaction of the caller.
    ///
    /// Costs a look at one small column of each row, without the bodies that fill pages of their
    /// own, and, for the sequences, sorting them.
    package func create(on table: String, in context: SQLContext) throws -> Outcome {
        try context.requireTransaction(for: "making an index")
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
