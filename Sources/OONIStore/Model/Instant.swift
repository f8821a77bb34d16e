public import Foundation

extension OONIStore {
    /// A moment, in whole milliseconds since the beginning of 1970 in UTC, as the files have it.
    public struct Instant: Hashable, Comparable, Sendable {
        /// Milliseconds since the beginning of 1970.
        public var milliseconds: Int64

        /// The moment so many milliseconds after the beginning of 1970.
        public init(milliseconds: Int64) {
            self.milliseconds = milliseconds
        }

        /// The moment of a date; one beyond what milliseconds can say becomes the farthest.
        public init(_ date: Date) {
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            self.milliseconds =
                Int64(exactly: milliseconds)
                ?? (milliseconds < 0 ? .min : .max)
        }

        /// The date.
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

    /// In ISO 8601, with milliseconds.
    public var description: String {
        var (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1000) }
        let text = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return "\(text.dropLast()).\(String(rest + 1000).dropFirst())Z"
    }
}
