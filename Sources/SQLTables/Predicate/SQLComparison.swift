/// An operator between two operands that gives a Boolean value.
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
    /// `GLOB`: `*` and `?` as in file names; case counts.
    case glob = "GLOB"
    /// `MATCH`, of full-text tables.
    case match = "MATCH"
    /// `IS`: equal, null being equal to null.
    case `is` = "IS"
    /// `IS NOT`
    case isNot = "IS NOT"
}

/// The order of rows.
public enum SQLOrder: String, Hashable, Sendable {
    /// `ASC`: null first, then from the least to the greatest.
    case ascending = "ASC"
    /// `DESC`
    case descending = "DESC"
}
