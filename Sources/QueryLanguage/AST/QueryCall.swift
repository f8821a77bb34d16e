/// A call of a function that needs more than its arguments: `COUNT(DISTINCT x)`, an aggregate with
/// `FILTER`, a window function. A call without any of these is a `QueryExpression.function`.
package struct QueryCall: Hashable, Sendable {
    /// The function's name in the query language, in lower case.
    package var function: String
    package var arguments: [QueryExpression]
    package var isDistinct = false
    /// `FILTER (WHERE condition)`
    package var filter: QueryExpression?
    /// `OVER (…)`
    package var window: QueryWindow?

    package init(
        function: String, arguments: [QueryExpression], isDistinct: Bool = false,
        filter: QueryExpression? = nil, window: QueryWindow? = nil
    ) {
        self.function = function
        self.arguments = arguments
        self.isDistinct = isDistinct
        self.filter = filter
        self.window = window
    }
}

extension QueryCall {
    /// Whether it consists of a name and arguments only.
    var isPlain: Bool { !isDistinct && filter == nil && window == nil }
}

/// `PARTITION BY … ORDER BY … ROWS BETWEEN … AND …`
package struct QueryWindow: Hashable, Sendable {
    package var partitions: [QueryExpression] = []
    package var order: [QueryOrder] = []
    package var frame: QueryFrame?
}

/// The rows around the current row that a window function reads.
package struct QueryFrame: Hashable, Sendable {
    package enum Unit: String, CaseIterable, Hashable, Sendable {
        case rows = "ROWS"
        case range = "RANGE"
        case groups = "GROUPS"
    }

    package indirect enum Bound: Hashable, Sendable {
        case unboundedPreceding
        case preceding(QueryExpression)
        case currentRow
        case following(QueryExpression)
        case unboundedFollowing
    }

    package enum Exclusion: String, CaseIterable, Hashable, Sendable {
        case currentRow = "CURRENT ROW"
        case group = "GROUP"
        case ties = "TIES"
    }

    package var unit: Unit
    package var start: Bound
    /// Nil for the current row.
    package var end: Bound?
    package var exclusion: Exclusion?
}
