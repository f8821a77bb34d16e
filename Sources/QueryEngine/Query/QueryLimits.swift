/// Limits of a query. A query that exceeds one ends with the error `.queryLimitExceeded`.
///
/// Without limits a query runs until its rows are read or its task is cancelled: a join without a
/// condition returns the product of its sources. Use limits for queries from external sources.
///
/// ```swift
/// let limits = QueryLimits(seconds: 2, rows: 10_000, bytes: 1 << 26)
/// let rows = try await file.all(of: query, ["least": 18], limits: limits)
/// ```
/// Each run has the whole limits. Rows that were read before the error remain valid, and so does
/// the connection.
public struct QueryLimits: Hashable, Sendable {
    /// The time that SQLite may work for the query, in seconds: the sum over all rows, without the
    /// time that the reader takes between them. 0 or less ends the query at once; nil means no
    /// limit.
    public var seconds: Double?
    /// The largest number of rows that may be read. Unlike `LIMIT`, one more row is an error; nil
    /// means no limit.
    public var rows: Int?
    /// The largest size in bytes of a single value that SQLite computes, and of all values of the
    /// rows together; nil means no limit.
    public var bytes: Int?

    /// Creates limits; nil means no limit.
    ///
    /// ```swift
    /// let limits = QueryLimits(seconds: 0.5)
    /// let rows = try query.rows(in: snapshot, limits: limits)
    /// show(rows.columnNames)
    /// ```
    /// - Parameters:
    ///   - seconds: the time that SQLite may work, in seconds.
    ///   - rows: the largest number of rows.
    ///   - bytes: the largest size of a value, and of all values together.
    public init(seconds: Double? = nil, rows: Int? = nil, bytes: Int? = nil) {
        self.seconds = seconds
        self.rows = rows
        self.bytes = bytes
    }

    /// No limits, the default of all functions that run a query.
    public static let none = QueryLimits()
}
