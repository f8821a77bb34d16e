public import Foundation

extension OONIStore {
    /// A point in time, in whole milliseconds since 1970-01-01 00:00 UTC, as stored in files.
    public struct Instant: Hashable, Comparable, Sendable {
        /// Milliseconds since 1970-01-01 00:00 UTC.
        public var milliseconds: Int64

        /// Creates an instant from milliseconds since 1970-01-01 00:00 UTC.
        public init(milliseconds: Int64) {
            self.milliseconds = milliseconds
        }

        /// Creates an instant from a date; a date out of range is clamped.
        public init(_ date: Date) {
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            self.milliseconds =
                Int64(exactly: milliseconds)
                ?? (milliseconds < 0 ? .min : .max)
        }

        /// The instant as a date.
        public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

        /// Whether one is earlier.
        public static func < (one: Self, other: Self) -> Bool {
            one.milliseconds < other.milliseconds
        }
    }
}

extension OONIStore.Instant: Codable, CustomStringConvertible {
    /// Reads an integer.
    public init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Writes an integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    /// The instant in ISO 8601, with milliseconds.
    public var description: String {
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return "\(text.dropLast()).\(String(rest + 1000).dropFirst())Z"
    }
}
