/// The part of a query that has been read, which determines what may follow.
enum SQLPPStage: Sendable {
    case result, namedResult
    case source, namedSource
    /// After a joined source.
    case joined, namedJoin
    case joinCondition
    case binding, condition, group, groupCondition
    /// After a parenthesized query.
    case query
    case order, directedOrder, finishedOrder
    case limit, offset, limits
    case target, namedTarget
    case assignment, removal
    case changeCondition, changeLimit
    case cte

    /// What may follow, besides the end of the query.
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
        case .cte: "',', SELECT"
        }
    }

    private static let afterBlock = "UNION, INTERSECT, EXCEPT, ORDER BY, LIMIT, OFFSET"
    private static let afterCondition = "GROUP BY, HAVING, " + afterBlock
    private static let afterSources = "LET, WHERE, " + afterCondition
    private static let afterSource = "',', JOIN, UNNEST, " + afterSources
}

/// The precedence of SQL++ operators, lowest first.
///
/// `NOT` has the precedence of SQL; in LiteCore it binds tighter than all others.
enum SQLPPPrecedence: Int, Comparable, Sendable {
    case collation = 1
    case or, and, not
    /// `=`, `!=`, `IS`, `IN`, `LIKE`, `BETWEEN`
    case equality
    /// `<`, `<=`, `>`, `>=`
    case order
    /// `+`, `-`
    case sum
    /// `*`, `/`, `%`
    case product
    /// `||`
    case concatenation
    /// `-` before an operand
    case sign
    /// An operand that never needs parentheses.
    case primary

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The next higher precedence: that of an operator's right operand.
    var tighter: Self { Self(rawValue: rawValue + 1) ?? .primary }
}

extension QueryOperator {
    /// The precedence of the infix operator.
    var precedence: SQLPPPrecedence {
        switch self {
        case .or: .or
        case .and: .and
        case .not: .not
        case .equal, .notEqual, .is, .isNot, .in, .notIn, .like, .between, .isValued,
            .isDistinctFrom, .isNotDistinctFrom:
            .equality
        case .less, .lessOrEqual, .greater, .greaterOrEqual: .order
        case .add, .subtract: .sum
        case .multiply, .divide, .modulo: .product
        case .concatenate: .concatenation
        case .exists: .primary
        }
    }
}
