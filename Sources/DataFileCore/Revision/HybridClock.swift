internal import SQLCore

/// Gives each new version a later time than any it has given, whatever the wall clock does, also
/// after a restart.
///
/// The file keeps a **bound** that is later than every time given by a transaction that was
/// committed; a clock begins there. It is set some time ahead, so that few transactions have to
/// write it.
final class HybridClock: Sendable {
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

    init(wallClock: @escaping @Sendable () -> UInt64 = { SystemClock.nanoseconds }) {
        self.wallClock = wallClock
    }

    /// A new time, later than `other` too; nil if there is none that is valid.
    ///
    /// A time from the future is followed for that one document; the clock stays where it is.
    func next(after other: LogicalTime?) -> LogicalTime? {
        let physical = wallClock() & ~0xFFFF
        let limit = LogicalTime.valid.upperBound.rawValue
        return state.withLock { state in
            let own = max(physical, state.last + 1)
            let time = max(own, (other?.rawValue ?? 0) &+ 1)
            guard time <= limit else { return nil }
            state.last = own
            state.physical = physical
            return LogicalTime(rawValue: time)
        }
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
    var hasBegun: Bool { state.withLock { $0.hasBegun } }

    /// Goes on behind the bound that is in the file, nil if there is none.
    func begin(after bound: LogicalTime?) {
        state.withLock { state in
            state.hasBegun = true
            guard let bound, LogicalTime.valid.contains(bound) else { return }
            // The bound itself was not given.
            state.last = max(state.last, bound.rawValue - 1)
            state.bound = max(state.bound, bound.rawValue)
        }
    }

    /// Whether times were given that the bound in the file does not cover, as far as is known.
    var needsBound: Bool { state.withLock { $0.last >= $0.bound } }

    /// The bound that covers all times given, when another process may have set the one that is
    /// in the file; the same if it is late enough.
    func newBound(over stored: LogicalTime?) -> LogicalTime {
        let limit = LogicalTime.valid.upperBound.rawValue
        return state.withLock { state in
            if let stored, stored.rawValue > state.last, stored.rawValue <= limit {
                return stored
            }
            // Many versions in one step of the wall clock are not yet the future.
            let isAhead = state.last > state.physical | 0xFFFF
            let ahead = isAhead ? Self.boundAheadOfFuture : Self.boundAhead
            return LogicalTime(rawValue: min(limit, state.last + ahead))
        }
    }

    /// Notes the bound that is in the file since a commit.
    func keep(_ bound: LogicalTime) {
        state.withLock { $0.bound = max($0.bound, bound.rawValue) }
    }
}
