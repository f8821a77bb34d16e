/// An operator between two operands with a Boolean result.
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
public enum SQLOrder: String, Hashable, Sendable {
    /// `ASC`: nulls first, then ascending.
    case ascending = "ASC"
    /// `DESC`
    case descending = "DESC"
}
