/// How far a query is read, which says what could stand next.
enum SQLPlusPlusStage: Sendable {
    case result, namedResult
    case source, namedSource
    /// Behind what is joined.
    case joined, namedJoin
    case joinCondition
    case binding, condition, group, groupCondition
    /// Behind a query in parentheses.
    case query
    case order, directedOrder, finishedOrder
    case limit, offset, limits
    case target, namedTarget
    case assignment, removal
    case changeCondition, changeLimit
    case commonTable

    /// What could stand next, besides what ends the query.
    var expected: String {
        switch self {
        case .result: "an operator, ',', AS, FROM, " + Self.afterSources
        case .namedResult: "',', FROM, " + Self.afterSources
        case .source: "AS, " + Self.afterSource
        case .namedSource: Self.afterSource
        case .joined: "AS, ON, " + Self.afterSource
        case .namedJoin: "ON, " + Self.afterSource
        case .joinCondition: "an operator, " + Self.afterSource
        case .binding: "an operator, ',', WHERE, " + Self.afterCondition
        case .condition: "an operator, " + Self.afterCondition
        case .group: "an operator, ',', HAVING, " + Self.afterBlock
        case .groupCondition: "an operator, " + Self.afterBlock
        case .query: Self.afterBlock
        case .order: "an operator, ',', ASC, DESC, NULLS, LIMIT, OFFSET"
        case .directedOrder: "',', NULLS, LIMIT, OFFSET"
        case .finishedOrder: "',', LIMIT, OFFSET"
        case .limit: "an operator, OFFSET"
        case .offset: "an operator, LIMIT"
        case .limits, .changeLimit: "an operator"
        case .target: "AS, WHERE, LIMIT"
        case .namedTarget: "WHERE, LIMIT"
        case .assignment: "an operator, ',', UNSET, WHERE, LIMIT"
        case .removal: "'.', '[', ',', WHERE, LIMIT"
        case .changeCondition: "an operator, LIMIT"
        case .commonTable: "',', SELECT"
        }
    }

    private static let afterBlock = "UNION, INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET"
    private static let afterCondition = "GROUP BY, HAVING, " + afterBlock
    private static let afterSources = "LET, WHERE, " + afterCondition
    private static let afterSource = "',', JOIN, UNNEST, " + afterSources
}
