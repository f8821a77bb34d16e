/// Words for when documents expire.
enum Expirations {
    /// `in 3 min`, `2 h ago`.
    static func distance(to milliseconds: Int64, from now: Int64 = System.milliseconds) -> String {
        let (difference, isFar) = milliseconds.subtractingReportingOverflow(now)
        let seconds = isFar ? .infinity : Double(difference) / 1000
        if seconds.magnitude >= 172_800, seconds.isFinite {
            let days = "\(Int(seconds.magnitude / 86_400)) days"
            return seconds < 0 ? "\(days) ago" : "in \(days)"
        }
        let text = Text.duration(seconds: seconds.magnitude)
        return seconds < 0 ? "\(text) ago" : "in \(text)"
    }
}
