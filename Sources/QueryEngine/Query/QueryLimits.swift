/// How much a query may take before it is ended with an error. Without bounds a query goes on until
/// its rows are read, or its task is cancelled.
public struct QueryLimits: Hashable, Sendable {
    /// The most seconds that SQLite may work for it, in all.
    public var seconds: Double?
    /// The most rows that may be read.
    public var rows: Int?
    /// The most bytes of one value, and of all values that are read.
    public var bytes: Int?

    /// Bounds; nil for none.
    public init(seconds: Double? = nil, rows: Int? = nil, bytes: Int? = nil) {
        self.seconds = seconds
        self.rows = rows
        self.bytes = bytes
    }

    /// No bounds.
    public static let none = QueryLimits()
}
