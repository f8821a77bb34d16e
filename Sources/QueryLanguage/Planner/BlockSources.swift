internal import FleeceLite

/// The sources of one block, with the tables that the plan has chosen for them.
final class BlockSources {
    /// The number of the block.
    let number: Int
    /// By their position in `FROM`.
    let sources: [PlannedSource]
    /// The planner of the outer query; nil for an outermost one.
    let outer: ExpressionPlanner?

    init(number: Int, _ sources: [PlannedSource], outer: ExpressionPlanner?) {
        self.number = number
        self.sources = sources
        self.outer = outer
    }

    /// The number of outer queries.
    var depth: Int { outer.map { $0.block.depth + 1 } ?? 0 }

    /// Whether some source has value indexes.
    var hasIndexes: Bool { sources.contains { !($0.source.table?.indexes.isEmpty ?? true) } }
}

/// A source with the table that the plan has chosen for it.
struct PlannedSource {
    /// How the rows of a source are read.
    enum Access {
        /// From the table of the documents, or the rows of a subquery.
        case table
        /// The elements of an array, by a table function.
        case elements
        /// The elements of an array, in the table of its index.
        case elementTable(QueryIndexes.ElementTable, IndexedArray)
    }

    let source: ResolvedSource
    let access: Access
}

/// An array whose elements are in an index table.
struct IndexedArray {
    /// The documents that contain the array.
    let documents: ResolvedSource
    /// The table function that reads the elements from the document itself.
    let rows: SQLExpression
    /// Whether it is within the elements of another array, which the index stores as copies.
    let isNested: Bool

    /// An array in documents.
    init(of documents: ResolvedSource, _ path: PropertyPath) {
        self.documents = documents
        rows = .call(
            "fl_each", [.column(documents.sqlAlias, "body"), .string(path.description)])
        isNested = false
    }

    /// An array in the elements of another array.
    init(in outer: IndexedArray, elements: ResolvedSource, _ path: PropertyPath) {
        let body = SQLExpression.element(
            .column("", "body"), of: outer.rows, number: .column(elements.sqlAlias, "i"))
        documents = outer.documents
        rows = .call("fl_each", [body, .string(path.description)])
        isNested = true
    }
}
