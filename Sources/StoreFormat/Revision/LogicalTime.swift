/// A time of the hybrid logical clock: nanoseconds since 1970 whose low 16 bits are a counter.
///
/// Versions of a ``VersionVector`` have such times. They are close to the time of day, but a new
/// version of a document is later than its versions before, even if the clocks of two devices
/// differ. The counter distinguishes changes within 65 microseconds.
///
/// ```swift
/// let time = localVector.latestTime
/// let seconds = Double(time.rawValue) / 1_000_000_000
/// show(Date(timeIntervalSince1970: seconds), time.description)
/// ```
///
/// Compare times only to find out which of several versions is later; a version of another device
/// need not be later in fact.
public struct LogicalTime: RawRepresentable, Comparable, Hashable, Sendable {
    /// Nanoseconds since 1970, with the counter in the low 16 bits.
    ///
    /// To convert it to a date, divide it by 10⁹ and ignore the counter.
    public let rawValue: UInt64

    /// Wraps a number without checking it; see ``valid``.
    ///
    /// - Parameter rawValue: nanoseconds since 1970, with the counter in the low 16 bits.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The range of times that a version may have: from 18 minutes after the start of 1970 to the
    /// year 2262.
    ///
    /// A vector with other times cannot be read. The times of versions that represent tree
    /// revisions are within the range, but are not actual times.
    public static let valid =
        LogicalTime(
            rawValue: 0x100_0000_0000)...LogicalTime(
            rawValue: 0x7FFF_FFFF_FFFF_FFFF)

    /// Earlier than all others.
    package static let zero = LogicalTime(rawValue: 0)

    /// The calendar year of the time.
    package var year: UInt64 { 1970 + rawValue / 31_556_952_000_000_000 }

    /// Orders by time, then by counter, which is the order of the raw values.
    public static func < (left: LogicalTime, right: LogicalTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension LogicalTime: CustomStringConvertible {
    /// Lowercase hexadecimal without a prefix, as in the text of a version: `18e9f0b79eed0000`.
    public var description: String { String(rawValue, radix: 16) }
}
