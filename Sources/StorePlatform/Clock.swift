/// The wall clock.
package enum SystemClock {
    /// Nanoseconds since 1970. `clock_gettime`
    package static var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        // A clock that is set beyond the year 2554 must not trap.
        let seconds = min(UInt64(max(time.tv_sec, 0)), UInt64.max / 1_000_000_000 - 1)
        return seconds * 1_000_000_000 + UInt64(max(time.tv_nsec, 0))
    }
}

/// The time zone of the machine, from `TZ` or the system settings.
package enum LocalZone {
    /// The offset of local time from UTC in minutes, at an instant in UTC seconds. `localtime_r`
    package static func minutes(atUTC seconds: Int64) -> Int {
        var timestamp = time_t(seconds)
        var local = tm()
        guard localtime_r(&timestamp, &local) != nil else { return 0 }
        return Int(local.tm_gmtoff) / 60
    }

    /// The offset of local time from UTC in minutes, at an instant in local seconds.
    ///
    /// In the hour that is skipped or repeated when clocks change, one of the two offsets.
    package static func minutes(atLocal seconds: Int64) -> Int {
        let guess = minutes(atUTC: seconds)
        return minutes(atUTC: seconds &- 60 &* Int64(guess))
    }
}

/// The mathematical functions of the system's library.
package enum SystemMaths {
    package static func cosine(_ x: Double) -> Double { cos(x) }
    package static func sine(_ x: Double) -> Double { sin(x) }
    package static func tangent(_ x: Double) -> Double { tan(x) }
    package static func arcCosine(_ x: Double) -> Double { acos(x) }
    package static func arcSine(_ x: Double) -> Double { asin(x) }
    package static func arcTangent(_ x: Double) -> Double { atan(x) }
    package static func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
    package static func exponential(_ x: Double) -> Double { exp(x) }
    package static func logarithm(_ x: Double) -> Double { log(x) }
    package static func logarithm10(_ x: Double) -> Double { log10(x) }
    package static func power(_ x: Double, _ y: Double) -> Double { pow(x, y) }
}
