/// Words for when documents expire.
package enum Expirations {
    /// `in 3 min`, `2 h ago`, `in 6 days 23 h`, `in 40 days`.
    package static func distance(to milliseconds: Int64, from now: Int64 = System.milliseconds)
        -> String
    {
        let (difference, isFar) = milliseconds.subtractingReportingOverflow(now)
        guard !isFar else { return milliseconds < now ? "long ago" : "in a long time" }
        let seconds = Double(difference) / 1000
        let text = days(seconds.magnitude) ?? Text.duration(seconds: seconds.magnitude)
        return seconds < 0 ? "\(text) ago" : "in \(text)"
    }

    /// A time of two days or more, to the nearest hour, and of 30 days or more to the nearest day;
    /// nil for less.
    private static func days(_ seconds: Double) -> String? {
        guard seconds >= 2 * 86_400 else { return nil }
        let hours = Int((seconds / 3600).rounded())
        guard hours < 30 * 24 else { return "\((hours + 12) / 24) days" }
        return "\(hours / 24) days" + (hours % 24 > 0 ? " \(hours % 24) h" : "")
    }
}
