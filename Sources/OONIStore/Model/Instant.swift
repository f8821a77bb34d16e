public import Foundation

extension OONIStore {
    /// A point in time, in whole milliseconds since 1970-01-01 00:00 UTC, as stored in files.
    ///
    /// All times of a store have this type. They sort like numbers, and queries compare them as
    /// integers. Convert them from and to `Date` at the border of your program:
    ///
    /// ```swift
    /// let startTime = OONIStore.Instant(Date())
    /// let result = try probe.write {
    ///     try probe.results.insert(.init(name: "websites"), at: startTime, in: $0)
    /// }
    /// print(result.startTime.date.formatted())
    /// ```
    ///
    /// In JSON and in documents it is an integer. A range of instants is the time of a
    /// ``ResultFilter``; the ranges of days in a time zone are `Range.day(of:in:)` and its
    /// siblings.
    public struct Instant: Hashable, Comparable, Sendable {
        /// Milliseconds since 1970-01-01 00:00 UTC; negative before.
        public var milliseconds: Int64

        /// Creates an instant from milliseconds since 1970-01-01 00:00 UTC; every number is
        /// allowed.
        public init(milliseconds: Int64) {
            self.milliseconds = milliseconds
        }

        /// Creates an instant from a date, rounded to the nearest millisecond.
        ///
        /// - Parameter date: the date; one that does not fit into 64 bits becomes the first or the
        ///   last instant.
        public init(_ date: Date) {
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            self.milliseconds =
                Int64(exactly: milliseconds)
                ?? (milliseconds < 0 ? .min : .max)
        }

        /// The instant as a date, for formatting it and for calendars.
        public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

        /// Whether one is earlier.
        public static func < (one: Self, other: Self) -> Bool {
            one.milliseconds < other.milliseconds
        }
    }
}

extension OONIStore.Instant: Codable, CustomStringConvertible {
    /// Reads an integer: the milliseconds.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes an integer: the milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// The instant in ISO 8601 and UTC, with milliseconds, such as `2026-09-21T14:13:20.000Z`.
    public var description: String {
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return "\(text.dropLast()).\(String(rest + 1000).dropFirst())Z"
    }
}
