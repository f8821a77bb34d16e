import Foundation

/// The days that histories happen in, in milliseconds; counted by hand, not by a calendar.
enum HistoryTime {
    static let zone = TimeZone.gmt
    private static let day: Int64 = 86_400_000
    /// 2026-03-11, a Wednesday.
    static let midnight = 20_523 * day
    /// 2026-03-09
    static let monday = 20_521 * day
    /// 2026-03-01
    static let firstOfMonth = 20_513 * day
    /// 2026-02-11
    static let monthAgo = 20_495 * day
    /// Noon of the Wednesday.
    static let now = midnight + day / 2

    /// So few that some results begin together, and so chosen that some begin at an edge.
    static let timestamps: [Int64] = [
        midnight - 1, midnight, midnight + 1, monday - 1, monday, firstOfMonth - 1, firstOfMonth,
        monthAgo - 1, monthAgo, now, 0, -5, 4_102_444_800_000,
    ]
}
