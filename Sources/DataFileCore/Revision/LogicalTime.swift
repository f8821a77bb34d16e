internal import Synchronization

/// A time of the hybrid logical clock: nanoseconds since 1970 whose low 16 bits are a counter.
public struct LogicalTime: RawRepresentable, Comparable, Hashable, Sendable {
    /// Nanoseconds since 1970, with the counter in the low 16 bits.
    public let rawValue: UInt64

    /// Wraps a number, valid or not.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// The earliest and latest that a version may have.
    public static let valid =
        LogicalTime(
            rawValue: 0x100_0000_0000)...LogicalTime(
            rawValue: 0x7FFF_FFFF_FFFF_FFFF)

    /// Orders by time, then by counter.
    public static func < (left: LogicalTime, right: LogicalTime) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension LogicalTime: CustomStringConvertible {
    /// Lowercase hexadecimal, as in the text of a version.
    public var description: String { String(rawValue, radix: 16) }
}

/// Gives each new version a later time than any it has given or seen, whatever the wall clock
/// does.
final class HybridClock: Sendable {
    private let last = Mutex(UInt64(0))
    private let wallClock: @Sendable () -> UInt64

    init(wallClock: @escaping @Sendable () -> UInt64 = { SystemClock.nanoseconds }) {
        self.wallClock = wallClock
    }

    /// A new time, later than `other` too; nil if there is none that is valid.
    ///
    /// A time from the future is followed for that one document; the clock stays where it is.
    func next(after other: LogicalTime?) -> LogicalTime? {
        let physical = wallClock() & ~0xFFFF
        let own = last.withLock { last in
            last = max(physical, last &+ 1)
            return last
        }
        let time = LogicalTime(rawValue: max(own, (other?.rawValue ?? 0) &+ 1))
        return LogicalTime.valid.contains(time) ? time : nil
    }
}
