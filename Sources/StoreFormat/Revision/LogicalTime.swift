/// A time of the hybrid logical clock: nanoseconds since 1970 whose low 16 bits are a counter.
public struct LogicalTime: RawRepresentable, Comparable, Hashable, Sendable {
    /// Nanoseconds since 1970, with the counter in the low 16 bits.
    public let rawValue: UInt64

    /// Wraps a number without checking it.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The range of times that a version may have.
    public static let valid =
        LogicalTime(
            rawValue: 0x100_0000_0000)...LogicalTime(
            rawValue: 0x7FFF_FFFF_FFFF_FFFF)

    /// Earlier than all others.
    package static let zero = LogicalTime(rawValue: 0)

    /// The calendar year of the time.
    package var year: UInt64 { 1970 + rawValue / 31_556_952_000_000_000 }

    /// Orders by time, then by counter.
    public static func < (left: LogicalTime, right: LogicalTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension LogicalTime: CustomStringConvertible {
    /// Lowercase hexadecimal, as in the text of a version.
    public var description: String { String(rawValue, radix: 16) }
}
