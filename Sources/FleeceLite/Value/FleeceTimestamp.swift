/// A moment in the form that Couchbase Lite gives dates: milliseconds since 1970, or their text.
///
/// The text is ISO 8601: `2008-08-07T05:18:51.589Z`. Nothing in Fleece marks it as a date; it is a
/// string like any other.
public struct FleeceTimestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the beginning of 1970 in UTC.
    public let milliseconds: Int64

    /// The moment of this number of milliseconds since the beginning of 1970 in UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The earlier moment is the smaller.
    public static func < (left: FleeceTimestamp, right: FleeceTimestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
