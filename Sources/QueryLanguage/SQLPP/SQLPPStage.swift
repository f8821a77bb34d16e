/// How far a query is read, which says what could stand next.
enum SQLPPStage: Sendable {
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

/// How tightly an operator of SQL++ binds, the loosest first.
///
/// `NOT` stands where SQL has it; LiteCore reads it as tighter than all others.
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
    /// What needs no parentheses anywhere.
    case primary

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The next tighter one: what the right operand of an operator must have.
    var tighter: Self { Self(rawValue: rawValue + 1) ?? .primary }
}

extension QueryOperator {
    /// How tightly the operator binds between two operands.
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
