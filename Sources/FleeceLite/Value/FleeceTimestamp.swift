/// A timestamp in the form that Couchbase Lite uses for dates: milliseconds
/// since 1970, or their text.
///
/// The text is ISO 8601: `2008-08-07T05:18:51.589Z`. Fleece has no type for dates; the text is an
/// ordinary string.
public struct FleeceTimestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01 in UTC.
    public let milliseconds: Int64

    /// Creates a timestamp from milliseconds since 1970-01-01 in UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns whether the first timestamp is earlier.
    public static func < (left: FleeceTimestamp, right: FleeceTimestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
