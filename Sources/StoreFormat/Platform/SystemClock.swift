#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The wall clock.
package enum SystemClock {
    /// Nanoseconds since 1970. `clock_gettime`
    package static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A clock that is set beyond the year 2554 must not be a trap.
        let seconds = min(UInt64(max(time.tv_sec, 0)), UInt64.max / 1_000_000_000 - 1)
        return seconds * 1_000_000_000 + UInt64(max(time.tv_nsec, 0))
    }
}
