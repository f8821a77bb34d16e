#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The time zone of the machine, as `TZ` or its settings say.
package enum LocalZone {
    /// How many minutes its clocks are before UTC's at a moment. `localtime_r`
    package static func minutes(atUTC seconds: Int64) -> Int {
        var moment = time_t(seconds)
        var local = tm()
        guard localtime_r(&moment, &local) != nil else { return 0 }
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
