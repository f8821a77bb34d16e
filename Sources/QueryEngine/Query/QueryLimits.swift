/// Limits of a query. A query that exceeds one ends with the error `.queryLimitExceeded`.
///
/// Without limits a query runs until its rows are read or its task is cancelled: a join without a
/// condition returns the product of its sources. Use limits for queries from external sources.
public struct QueryLimits: Hashable, Sendable {
    /// The time that SQLite may work for the query, in seconds: the sum over all rows, without the
    /// time that the reader takes between them. 0 or less ends the query at once.
    public var seconds: Double?
    /// The largest number of rows that may be read. Unlike `LIMIT`, one more row is an error.
    public var rows: Int?
    /// The largest size in bytes of a single value that SQLite computes, and of all values of the
    /// rows together.
    public var bytes: Int?

    /// Creates limits; nil means no limit.
    public init(seconds: Double? = nil, rows: Int? = nil, bytes: Int? = nil) {
        self.seconds = seconds
        self.rows = rows
        self.bytes = bytes
    }

    /// No limits.
    public static let none = QueryLimits()
}
