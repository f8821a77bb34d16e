/// How a query is executed, as a tree of steps in words.
///
/// ```
/// SELECT name FROM people WHERE age = 36 ORDER BY name
/// ├─ looks up documents of people by the index byAge: age = …; about 900 rows
/// └─ sorts the rows for ORDER BY
/// ```
public struct QueryPlan: Sendable {
    /// A step, and those that it consists of.
    public struct Step: Sendable {
        /// What kind of work it is.
        public enum Kind: Sendable, Hashable {
            /// All rows of a table are looked at.
            case scan
            /// All entries of an index are looked at, in its order.
            case indexScan
            /// Rows are looked up.
            case search
            /// The table of a full-text index is searched.
            case words
            /// The elements of an array are walked through.
            case elements
            /// Rows are kept and sorted, or told from equal ones.
            case sort
            /// Anything else: a subquery, a set operator.
            case other
        }

        /// What is done, in words.
        public let text: String
        /// SQLite's words.
        public let detail: String
        /// What kind of work it is.
        public let kind: Kind
        /// The index that is used.
        public let index: String?
        /// About how many rows it reads, by the statistics of the file; nil if nothing is known.
        public let estimatedRows: Int?
        /// Why no index is used, where one could have been.
        public let reasons: [String]
        /// The steps that it consists of.
        public let steps: [Step]
    }

    /// The query in SQL++.
    public let query: String
    /// The statement that SQLite is asked.
    public let sql: String
    /// The steps, in the order in which SQLite takes them: the outermost loop first.
    public let steps: [Step]

    /// The names of all indexes that are used.
    public var indexes: [String] {
        var names: [String] = []
        visit { step in
            if let index = step.index, !names.contains(index) { names.append(index) }
        }
        return names
    }

    /// Whether every document of some collection is looked at.
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
    fileprivate func visit(_ body: (Self) -> Void) {
        body(self)
        for step in steps { step.visit(body) }
    }
}

extension QueryPlan: CustomStringConvertible {
    /// The tree, a line for each step.
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
