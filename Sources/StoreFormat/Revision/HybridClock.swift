internal import SQLCore
internal import StorePlatform

/// Gives each new version a later time than any it has given, whatever the wall clock does, also
/// after a restart.
///
/// The file keeps a **bound** that is later than every time given by a transaction that was
/// committed; a clock begins there. It is set some time ahead, so that few transactions have to
/// write it.
package final class HybridClock: Sendable {
    private struct State {
        /// The time that was given last.
        var last = LogicalTime.valid.lowerBound.rawValue
        /// What the wall clock said then.
        var physical: UInt64 = 0
        /// The bound in the file, as far as it is known.
        var bound: UInt64 = 0
        var hasBegun = false
    }

    private let state = Locked(State())
    private let wallClock: @Sendable () -> UInt64

    package init(wallClock: @escaping @Sendable () -> UInt64 = { SystemClock.nanoseconds }) {
        self.wallClock = wallClock
    }

    /// A new time, later than `other` too; nil if the wall clock is beyond the last valid time.
    ///
    /// A time from the future is followed for that one document, unless it is implausible; the
    /// clock stays where it is.
    func next(after other: LogicalTime?) -> LogicalTime? {
        next(at: wallClock() & ~0xFFFF) { limit in other.flatMap { $0 <= limit ? $0 : nil } }
    }

    /// A new time, later than all plausible times of the vectors; nil if the wall clock is beyond
    /// the last valid time.
    package func next(
        afterAllOf vector: VersionVector?, _ other: VersionVector? = nil
    ) -> LogicalTime? {
        next(at: wallClock() & ~0xFFFF) { limit in
            guard let vector else { return other?.latestTime(notAfter: limit) }
            let latest = vector.latestTime(notAfter: limit)
            guard let other else { return latest }
            return max(latest, other.latestTime(notAfter: limit))
        }
    }

    @inline(__always)
    private func next(
        at physical: UInt64, after other: (_ limit: LogicalTime) -> LogicalTime?
    ) -> LogicalTime? {
        let latest = Self.latestPlausible(at: physical)
        let other = other(LogicalTime(rawValue: latest))
        return state.withLock { state in
            if state.last > latest { state.last = LogicalTime.valid.lowerBound.rawValue }
            let own = max(physical, state.last + 1)
            let time = max(own, (other?.rawValue ?? 0) + 1)
            guard time <= LogicalTime.valid.upperBound.rawValue else { return nil }
            state.last = own
            state.physical = physical
            return LogicalTime(rawValue: time)
        }
    }
}

// Implausible times. A wrong system clock, or whoever made the file, can put a time into it that
// is centuries away: a clock that went on from there would soon have no time left to give.
extension HybridClock {
    /// How far ahead of the wall clock a time can be and still be plausible: 5 years.
    ///
    /// LiteCore and Couchbase's servers refuse a version that is more than two minutes ahead. Here
    /// it is much more, since the wall clock of this device may itself be behind.
    static let maximumLead: UInt64 = 5 * 31_557_600 * 1_000_000_000
    /// The wall clock is taken to show 2026-01-01 at least: one that was never set, or has lost its
    /// battery, makes no time implausible.
    static let earliestNow: UInt64 = 1_767_225_600 * 1_000_000_000

    /// The latest time that is plausible when the wall clock shows `physical`.
    static func latestPlausible(at physical: UInt64) -> UInt64 {
        let end = LogicalTime.valid.upperBound.rawValue - boundAhead
        return min(end, min(end, max(physical, earliestNow)) + maximumLead)
    }

    /// The latest time that is plausible now.
    package var latestPlausible: LogicalTime {
        LogicalTime(rawValue: Self.latestPlausible(at: wallClock()))
    }
}

// The bound.
extension HybridClock {
    /// How far ahead of the wall clock a bound is set: 1 second. After a restart the first versions
    /// can have times so far in the future, which other peers should not see much of.
    static let boundAhead: UInt64 = 1_000_000_000
    /// How far ahead of the last time one is set while the clock runs ahead of the wall clock: a
    /// million versions. So many restarts do not carry it away.
    static let boundAheadOfFuture: UInt64 = 1_000_000

    /// Whether it knows where the file's times end.
    package var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Goes on behind the bound that is in the file, nil if there is none; an implausible one
    /// counts as none.
    package func begin(after bound: LogicalTime?) {
        let latest = latestPlausible
        state.withLock { state in
            state.hasBegun = true
            guard let bound, bound <= latest, LogicalTime.valid.contains(bound) else { return }
            // The bound itself was not given.
            state.last = max(state.last, bound.rawValue - 1)
            state.bound = max(state.bound, bound.rawValue)
        }
    }

    /// Whether times were given that the bound in the file does not cover, as far as is known, or
    /// that bound has become implausible, since the wall clock was set back.
    package var needsBound: Bool {
        state.withLock {
            $0.last >= $0.bound || $0.bound > Self.latestPlausible(at: $0.physical)
        }
    }

    /// The bound that covers all times given, when another process may have set the one that is
    /// in the file; the same if it is late enough, and plausible.
    package func newBound(over stored: LogicalTime?) -> LogicalTime {
        let limit = LogicalTime.valid.upperBound.rawValue
        return state.withLock { state in
            let latest = Self.latestPlausible(at: state.physical)
            if let stored, stored.rawValue > state.last, stored.rawValue <= latest {
                return stored
            }
            // Many versions in one step of the wall clock are not yet the future.
            let isAhead = state.last > state.physical | 0xFFFF
            let ahead = isAhead ? Self.boundAheadOfFuture : Self.boundAhead
            return LogicalTime(rawValue: min(limit, state.last + ahead))
        }
    }

    /// Notes the bound that is in the file since a commit.
    package func keep(_ bound: LogicalTime) {
        state.withLock { state in
            let isPlausible = state.bound <= Self.latestPlausible(at: state.physical)
            state.bound = isPlausible ? max(state.bound, bound.rawValue) : bound.rawValue
        }
    }
}
