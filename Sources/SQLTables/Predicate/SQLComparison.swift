/// An operator between two operands with a Boolean result.
///
/// It is the argument of ``SQLPredicate/compare(_:_:_:)``, which the named forms such as
/// ``SQLPredicate/lessThan(_:_:)`` call. A comparison with null is null, which counts as false,
/// except for `is` and `isNot`.
///
/// ```swift
/// let changed = Player.team.compare(.isNot, SQLValue(3))  // also where the team is null
/// ```
public enum SQLComparison: String, Hashable, Sendable {
    /// `=`
    case equals = "="
    /// `<>`
    case notEquals = "<>"
    /// `<`
    case lessThan = "<"
    /// `<=`
    case lessThanOrEqual = "<="
    /// `>`
    case greaterThan = ">"
    /// `>=`
    case greaterThanOrEqual = ">="
    /// `LIKE`
    case like = "LIKE"
    /// `NOT LIKE`
    case notLike = "NOT LIKE"
    /// `GLOB`: `*` and `?` as in file names; case-sensitive.
    case glob = "GLOB"
    /// `MATCH`, for full-text tables.
    case match = "MATCH"
    /// `IS`: equality in which null equals null.
    case `is` = "IS"
    /// `IS NOT`
    case isNot = "IS NOT"
}

/// The sort order of rows.
///
/// It is the argument of ``SQLQuery/orderBy(_:order:)``.
public enum SQLOrder: String, Hashable, Sendable {
    /// `ASC`: nulls first, then ascending.
    case ascending = "ASC"
    /// `DESC`
    case descending = "DESC"
}
