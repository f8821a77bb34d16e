package import FleeceLite

/// A source of a query, to which properties are bound.
///
/// Two sources are the same if they are identical: names do not matter any more.
package final class ResolvedSource {
    package enum Kind {
        /// The documents of a collection.
        case documents(QueryTable)
        /// The elements of an array of another source, at a path in its rows.
        case elements(of: ResolvedSource, array: PropertyPath)
        /// Rows of a subquery, a CTE or set operators; in SQL the columns are `c1`, `c2`, ….
        case rows(QueryColumns)
        /// The documents that an index expression is for, without a table.
        case indexedDocuments
        /// The elements of arrays that an index expression is for.
        case indexedElements
    }

    /// Its name in the query; empty for the rows of set operators.
    package let alias: String
    /// The scope of a collection that can be named `scope.collection`.
    let prefix: String?
    /// Its alias in SQL, quoted if necessary; empty for columns without one.
    package let sqlAlias: String
    package let kind: Kind
    /// The number of the block that it belongs to.
    package let block: Int
    /// Its position in that block's `FROM`.
    package let position: Int
    /// Whether a row may lack this source, because it is joined with LEFT.
    package let isOptional: Bool
    /// Whether the documents include tombstones: the query tests for them.
    package internal(set) var includesDeleted = false

    init(
        alias: String, prefix: String? = nil, sqlAlias: String, kind: Kind, block: Int = 0,
        position: Int = 0, isOptional: Bool = false
    ) {
        self.alias = alias
        self.prefix = prefix
        self.sqlAlias = sqlAlias
        self.kind = kind
        self.block = block
        self.position = position
        self.isOptional = isOptional
    }

    /// The table of its documents; nil for other rows.
    package var table: QueryTable? {
        if case .documents(let table) = kind { table } else { nil }
    }

    /// Whether its rows are documents.
    package var isOfDocuments: Bool {
        switch kind {
        case .documents, .indexedDocuments: true
        case .elements, .rows, .indexedElements: false
        }
    }

    /// Its name with its scope, which distinguishes it from a collection with the same name.
    package var fullName: String { prefix.map { $0 + "." + alias } ?? alias }
}

/// The variable of an `ANY` or `EVERY`.
package final class ResolvedVariable {
    let name: String
    /// The alias in SQL of the table that has its values.
    package let sqlAlias: String

    init(name: String, sqlAlias: String) {
        self.name = name
        self.sqlAlias = sqlAlias
    }
}

/// A full-text index as a query names it.
package struct FullTextReference {
    /// Its name in the query: `name`, or `source.name`.
    package let name: String
    /// The SQL name of its table.
    package let sqlName: String
    package let source: ResolvedSource
}
