/// How SQLite executes a query, as a tree of readable steps.
///
/// ``Query/explain(in:_:)`` returns it. As a string it is:
///
/// ```
/// SELECT name FROM people WHERE age = 36 ORDER BY name
/// ├─ searches documents of people using index byAge (value = …); about 900 rows
/// └─ sorts the rows for ORDER BY
/// ```
/// A test can assert that a query uses its index, so that a change of the query or the index does
/// not make it slow unnoticed:
///
/// ```swift
/// let plan = try query.explain(in: snapshot, ["least": 18])
/// assert(plan.indexes == ["byAge"] && !plan.scansDocuments)
/// ```
/// Steps that cost time in a large collection are those of the kinds ``Step/Kind/scan`` and
/// ``Step/Kind/sort``: a scan reads all documents, a sort reads all rows before the first one is
/// returned.
public struct QueryPlan: Sendable {
    /// A step, with its substeps.
    ///
    /// ```swift
    /// for step in try query.explain(in: snapshot).steps where step.kind == .scan {
    ///     print(step.text, step.reasons)
    /// }
    /// ```
    public struct Step: Sendable {
        /// The kind of a step: how it accesses documents, or what else it does.
        public enum Kind: Sendable, Hashable {
            /// A full scan of a table.
            case scan
            /// A scan of all entries of an index, in index order.
            case indexScan
            /// A lookup in an index or by ID.
            case search
            /// A search in a full-text index.
            case fullTextSearch
            /// A search in a vector index.
            case vectorSearch
            /// An iteration over the elements of an array.
            case elements
            /// A sort, or the removal of duplicates.
            case sort
            /// Anything else: a subquery, a set operator.
            case other
        }

        /// The description of the step, such as "scans all documents of people".
        public let text: String
        /// The step in SQLite's terms, from `EXPLAIN QUERY PLAN`; its form depends on SQLite's
        /// version.
        public let detail: String
        /// The kind of the step.
        public let kind: Kind
        /// The index that the step uses, by its name in SQLite; nil if it reads a table.
        ///
        /// The index of a table's IDs, which every collection has, begins with `sqlite_autoindex_`.
        public let index: String?
        /// The estimated number of rows that the step reads, from the planner statistics of the
        /// file; nil if there are none. ``DataFile/optimize(isThorough:)`` updates them.
        public let estimatedRows: Int?
        /// The reasons why no index is used, where one could be, such as "no index on budget".
        ///
        /// ```swift
        /// let plan = try query.explain(in: snapshot)
        /// print(plan.steps.flatMap(\.reasons))
        /// ```
        /// Empty for steps that use an index, and for a scan without any condition.
        public let reasons: [String]
        /// The substeps, such as those of a subquery.
        public let steps: [Step]
    }

    /// The query in SQL++, as ``Query/sqlPlusPlus``.
    public let query: String
    /// The SQL statement that SQLite runs, as ``Query/sql(in:)``.
    public let sql: String
    /// The steps in SQLite's order: the outermost loop first.
    public let steps: [Step]

    /// The names of all indexes that the query uses, each once, in the order of the steps.
    ///
    /// ```swift
    /// let plan = try query.explain(in: snapshot)
    /// print(plan.indexes.contains("byAge"))
    /// ```
    public var indexes: [String] {
        var names: [String] = []
        visit { step in
            if let index = step.index, !names.contains(index) { names.append(index) }
        }
        return names
    }

    /// Whether the query scans all documents of some collection.
    ///
    /// ```swift
    /// let slow = try [query].filter { try $0.explain(in: snapshot).scansDocuments }
    /// show(slow)
    /// ```
    /// A scan of a small collection is cheap, and the only way for a condition that most documents
    /// meet.
    public var scansDocuments: Bool {
        var scans = false
        visit { scans = scans || $0.kind == .scan }
        return scans
    }

    private func visit(_ body: (Step) -> Void) {
        for step in steps { step.visit(body) }
    }
}

extension QueryPlan.Step {
    fileprivate func visit(_ operation: (Self) -> Void) {
        operation(self)
        for step in steps { step.visit(operation) }
    }
}

extension QueryPlan: CustomStringConvertible {
    /// The tree, one line for each step, below the query; the reasons of a step are in lines that
    /// begin with "·".
    public var description: String {
        ([query] + Self.lines(steps)).joined(separator: "\n")
    }

    private static func lines(_ steps: [Step]) -> [String] {
        steps.enumerated().flatMap { index, step -> [String] in
            let isLast = index == steps.count - 1
            let rows = step.estimatedRows.map { "; about \($0) row\($0 == 1 ? "" : "s")" } ?? ""
            let below = step.reasons.map { "· " + $0 } + lines(step.steps)
            return [(isLast ? "└─ " : "├─ ") + step.text + rows]
                + below.map { (isLast ? "   " : "│  ") + $0 }
        }
    }
}
