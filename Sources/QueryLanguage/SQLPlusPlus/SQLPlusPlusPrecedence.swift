/// How tightly an operator of SQL++ binds, the loosest first.
///
/// `NOT` stands where SQL has it; LiteCore reads it as tighter than all others.
enum SQLPlusPlusPrecedence: Int, Comparable, Sendable {
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
    var precedence: SQLPlusPlusPrecedence {
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
