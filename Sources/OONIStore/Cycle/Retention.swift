public import DocumentStore
public import Foundation

extension OONIStore {
    /// How much of the past is kept. What several of these say to remove is removed, but for
    /// results that are not done.
    public struct Retention: Hashable, Sendable {
        /// Results that began so many months ago; at least 1.
        public var months: Int?
        /// The results that are kept, of the newest ones.
        public var results: Int?
        /// The bytes that the documents of the newest results and their measurements may have.
        public var bytes: Int?

        /// No bounds, or some.
        public init(months: Int? = nil, results: Int? = nil, bytes: Int? = nil) {
            self.months = months
            self.results = results
            self.bytes = bytes
        }
    }
}

extension OONIStore.Results {
    /// Ten thousand years, which calendars can count.
    private static let mostMonths = 120_000

    /// Removes the oldest results until the bounds hold.
    public func apply(
        _ retention: OONIStore.Retention, at now: Date, zone: TimeZone,
        in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let all = try ids(in: transaction)
        var kept = all.count
        let calendar = Calendar.gregorian(in: zone)
        // So many months ago that there is no such date nothing is too old.
        if let months = retention.months,
            let bound = calendar.date(
                byAdding: .month, value: -min(max(months, 1), Self.mostMonths), to: now)
        {
            let start = OONIStore.Instant(calendar.startOfDay(for: bound))
            let older = OONIStore.ResultFilter(
                startTime: OONIStore.Instant(milliseconds: .min)..<start)
            kept -= try totals(older, in: transaction).results
        }
        if let results = retention.results { kept = min(kept, max(results, 0)) }
        if let bytes = retention.bytes {
            kept = min(kept, try count(all.prefix(kept), within: bytes, in: transaction))
        }
        // What still runs is not taken away from under it.
        let old = all.dropFirst(kept).filter { id in
            (try? get(id, in: transaction))?.isDone ?? true
        }
        return try delete(old, in: transaction)
    }

    /// How many of these results, from the first one on, have together no more bytes.
    private func count(
        _ ids: ArraySlice<OONIStore.TestResult.ID>, within bytes: Int, in snapshot: Snapshot
    ) throws -> Int {
        var rest = max(bytes, 0)
        for (count, id) in ids.enumerated() {
            rest -= try entities.size(prefix: id.key, in: snapshot)
            rest -= try store.measurements.size(
                prefix: OONIStore.Measurement.ID.prefix(of: id), in: snapshot)
            if rest < 0 { return count }
        }
        return ids.count
    }
}
