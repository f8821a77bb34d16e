public import DocumentStore
public import Foundation

extension OONIStore {
    /// Limits on the age, number and size of results: see ``Results/apply(_:at:zone:in:)``.
    ///
    /// A result is removed if any of the limits requires it; results that are not done are never
    /// removed.
    public struct Retention: Hashable, Sendable {
        /// The age in months from which results are removed; at least 1. Nil does not limit the
        /// age.
        public var months: Int?
        /// The number of newest results to keep; 0 removes all that are done. Nil does not limit
        /// the number.
        public var results: Int?
        /// The maximum total size, in bytes, of the documents of the newest results and their
        /// measurements. Nil does not limit it.
        ///
        /// It is not the size of the file, which has indexes and free pages, too.
        public var bytes: Int?

        /// Creates limits; nil does not limit.
        ///
        /// - Parameters:
        ///   - months: the age in months from which results are removed.
        ///   - results: the number of newest results to keep.
        ///   - bytes: the maximum total size of documents, in bytes.
        public init(months: Int? = nil, results: Int? = nil, bytes: Int? = nil) {
            self.months = months
            self.results = results
            self.bytes = bytes
        }
    }
}

extension OONIStore.Results {
    /// Ten thousand years: the most that calendars can count.
    private static let mostMonths = 120_000

    /// Removes the oldest results until all limits are met. Results that are not done stay.
    ///
    /// ```swift
    /// let limits = OONIStore.Retention(months: 6, results: 1_000)
    /// let deleted = try probe.write {
    ///     try probe.results.apply(limits, at: Date(), zone: .current, in: $0)
    /// }
    /// try removeFiles(deleted.fileNames)
    /// ```
    ///
    /// It reads the times of all results and, with a limit in bytes, the sizes of the newest ones
    /// and their measurements.
    ///
    /// - Parameters:
    ///   - retention: the limits.
    ///   - now: the current date, from which the age is computed.
    ///   - zone: the time zone of the days: the limit is the start of a day.
    ///   - transaction: the transaction in which they are removed.
    /// - Returns: what was removed. Remove the files in ``Deleted/fileNames`` after the commit.
    /// - Throws: a `StoreError`.
    public func apply(
        _ retention: OONIStore.Retention, at now: Date, zone: TimeZone,
        in transaction: Transaction
    ) throws -> OONIStore.Deleted {
        let all = try ids(in: transaction)
        var kept = all.count
        let calendar = Calendar.gregorian(in: zone)
        // If the date so many months ago cannot be represented, nothing is old enough.
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
        // Results that are still running stay.
        let old = all.dropFirst(kept).filter { id in
            (try? get(id, in: transaction))?.isDone ?? true
        }
        return try delete(old, in: transaction)
    }

    /// How many of these results, from the first one on, fit into the number of bytes.
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
