/// A call of a function that needs more than its arguments: `COUNT(DISTINCT x)`, an aggregate with
/// `FILTER`, a window function. A call without any of these is a `QueryExpression.function`.
struct QueryCall: Hashable, Sendable {
    /// The function's name in the query language, in lower case.
    var function: String
    var arguments: [QueryExpression]
    var isDistinct = false
    /// `FILTER (WHERE condition)`
    var filter: QueryExpression?
    /// `OVER (…)`
    var window: QueryWindow?
}

extension QueryCall {
    /// Whether it has nothing but arguments.
    var isPlain: Bool { !isDistinct && filter == nil && window == nil }
}

/// `PARTITION BY … ORDER BY … ROWS BETWEEN … AND …`
struct QueryWindow: Hashable, Sendable {
    var partitions: [QueryExpression] = []
    var order: [QueryOrder] = []
    var frame: QueryFrame?
}

/// The rows around a row that a window function looks at.
struct QueryFrame: Hashable, Sendable {
    enum Unit: String, CaseIterable, Hashable, Sendable {
        case rows = "ROWS"
        case range = "RANGE"
        case groups = "GROUPS"
    }

    indirect enum Bound: Hashable, Sendable {
        case unboundedPreceding
        case preceding(QueryExpression)
        case currentRow
        case following(QueryExpression)
        case unboundedFollowing
    }

    enum Exclusion: String, CaseIterable, Hashable, Sendable {
        case currentRow = "CURRENT ROW"
        case group = "GROUP"
        case ties = "TIES"
    }

    var unit: Unit
    var start: Bound
    /// Nil for the current row.
    var end: Bound?
    var exclusion: Exclusion?
}
