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

/// The time zone of the machine, as `TZ` or its settings say.
package enum LocalZone {
    /// How many minutes its clocks are before UTC's at a moment. `localtime_r`
    package static func minutes(atUTC seconds: Int64) -> Int {
        var timestamp = time_t(seconds)
        var local = tm()
        guard localtime_r(&timestamp, &local) != nil else { return 0 }
        return Int(local.tm_gmtoff) / 60
    }

    /// The same for a moment that its own clocks show.
    ///
    /// In the hour that clocks skip or repeat, one of the two answers.
    package static func minutes(atLocal seconds: Int64) -> Int {
        let guess = minutes(atUTC: seconds)
        return minutes(atUTC: seconds &- 60 &* Int64(guess))
    }
}

/// The functions of numbers that the system's library has.
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
