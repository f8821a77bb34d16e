/// A timestamp in the form that Couchbase Lite uses for dates: milliseconds since 1970, or their
/// text.
///
/// Fleece has no type for dates. A date is stored as an ordinary string in ISO 8601,
/// `2008-08-07T05:18:51.589Z`, or as an integer of milliseconds. This type converts between both
/// without Foundation:
///
/// ```swift
/// if let start = FleeceTimestamp(parsing: "2008-08-07T05:18:51.589Z") {
///     let end = FleeceTimestamp(milliseconds: start.milliseconds + 86_400_000)
///     show(end.text())                  // 2008-08-08T05:18:51.589Z
///     show(end.text(zoneMinutes: 120))  // 2008-08-08T07:18:51.589+0200
/// }
/// ```
///
/// Timestamps are ordered by time. Dates are those of the Gregorian calendar, also before its
/// introduction; leap seconds are not supported.
///
/// ``FleeceValue/asTimestamp(zoneMinutes:)`` reads a timestamp from a value in either form.
/// `Codable` types use `Date` instead; see ``FleeceRowEncoder/DateForm``.
public struct FleeceTimestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01 in UTC; negative before.
    public let milliseconds: Int64

    /// Creates a timestamp from milliseconds since 1970-01-01 in UTC.
    ///
    /// - Parameter milliseconds: any number; negative ones are before 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Returns whether the first timestamp is earlier.
    public static func < (left: FleeceTimestamp, right: FleeceTimestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
