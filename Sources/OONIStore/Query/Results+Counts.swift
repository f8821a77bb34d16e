public import DocumentStore
public import Foundation

extension OONIStore {
    /// Totals of the results that match a filter: see ``Results/totals(_:in:)``.
    public struct ResultTotals: Hashable, Sendable {
        /// The number of results.
        public var results = 0
        /// The number of networks in which they were measured; results without a network are not
        /// counted.
        public var networks = 0
        /// The data sent, in KiB; exact up to 2⁵³, and limited to the range of the type.
        public var dataUsageUpKiB: Int64 = 0
        /// The data received, in KiB; exact up to 2⁵³, and limited to the range of the type.
        public var dataUsageDownKiB: Int64 = 0
    }
}

extension OONIStore.Results {
    /// Totals of all results that match a filter.
    ///
    /// ```swift
    /// let totals = try probe.read { try probe.results.totals(in: $0) }
    /// show("\(totals.results) results, \(totals.dataUsageDownKiB / 1024) MiB")
    /// ```
    ///
    /// One query, which reads all matching results.
    ///
    /// - Parameters:
    ///   - filter: the filter; all results by default.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the totals, which are 0 if nothing matches.
    /// - Throws: a `StoreError`.
    public func totals(
        _ filter: OONIStore.ResultFilter = .all, in snapshot: Snapshot
    ) throws -> OONIStore.ResultTotals {
        var parameters = QueryParameters()
        let conditions = try filter.conditions(&parameters)
        let query = try Query(
            "SELECT COUNT(*), COUNT(DISTINCT r.networkID), SUM(r.dataUsageUpKiB * 1.0), "
                + "SUM(r.dataUsageDownKiB * 1.0) FROM ooni.results AS r "
                + conditions.asWhere)
        guard let row = try query.rows(in: snapshot, parameters).next() else { return .init() }
        return OONIStore.ResultTotals(
            results: Int(row[0].int ?? 0), networks: Int(row[1].int ?? 0),
            dataUsageUpKiB: Self.whole(row[2].double), dataUsageDownKiB: Self.whole(row[3].double))
    }

    /// Converts a sum of whole numbers, computed in floating point because it may exceed the range
    /// of integers.
    private static func whole(_ sum: Double?) -> Int64 {
        let sum = sum ?? 0
        return Int64(exactly: sum) ?? (sum < 0 ? .min : .max)
    }

    /// The number of results with measurements that are done and not uploaded.
    ///
    /// It counts the entries of an index of just these results.
    public func missingUploadCount(in snapshot: Snapshot) throws -> Int {
        try Self.count(Self.missingUpload, in: snapshot)
    }

    /// The number of done results with a done measurement that were not viewed: the badge of the
    /// app.
    ///
    /// It counts the entries of an index of just these results.
    public func notViewedCount(in snapshot: Snapshot) throws -> Int {
        try Self.count(Self.notViewed, in: snapshot)
    }

    private static func count(_ query: Query, in snapshot: Snapshot) throws -> Int {
        Int(try query.rows(in: snapshot).next()?[0].int ?? 0)
    }

    // These conditions match those of the partial indexes.
    static var missingUpload: Query {
        get throws {
            try Query("SELECT COUNT(*) FROM ooni.results WHERE counts.notUploaded > 0")
        }
    }

    static var notViewed: Query {
        get throws {
            try Query(
                "SELECT COUNT(*) FROM ooni.results "
                    + "WHERE isViewed = FALSE AND isDone = TRUE AND counts.done > 0")
        }
    }
}

extension OONIStore {
    /// The numbers shown on the statistics screen: see ``OONIStore/statistics(at:zone:in:)``.
    public struct Statistics: Hashable, Sendable {
        /// Measurements done that started since midnight.
        public var today = 0
        /// Measurements done that started since Monday.
        public var thisWeek = 0
        /// Measurements done that started since the first of the month.
        public var thisMonth = 0
        /// All measurements done, of the results that the store still has.
        public var total = 0
        /// The number of autonomous systems of the store's networks; `networks.deleteUnused`
        /// removes networks without results.
        public var networks = 0
        /// The countries of the store's networks, in two letters, sorted.
        public var countries: [String] = []
    }

    /// The numbers shown on the statistics screen, in a time zone.
    ///
    /// ```swift
    /// let numbers = try probe.read { try probe.statistics(at: Date(), zone: .current, in: $0) }
    /// show(numbers.today, numbers.total, numbers.countries)
    /// ```
    ///
    /// It counts in an index by time and sums the counts of all results; it does not read
    /// measurements.
    ///
    /// - Parameters:
    ///   - now: the current date, which determines the day, week and month. Later measurements are
    ///     counted, too.
    ///   - zone: the time zone in which days begin.
    ///   - snapshot: the snapshot in which they are counted.
    /// - Returns: the numbers.
    /// - Throws: a `StoreError`.
    public func statistics(
        at now: Date, zone: TimeZone, in snapshot: Snapshot
    ) throws -> Statistics {
        let calendar = Calendar.gregorian(in: zone)
        func count(since unit: Calendar.Component) throws -> Int {
            guard let start = calendar.dateInterval(of: unit, for: now)?.start else { return 0 }
            let first = Instant(start).milliseconds
            guard first > .min else { return try doneCount(in: snapshot) }
            return try measurements.doneCount(
                after: Instant(milliseconds: first - 1), in: snapshot)
        }
        let networks = try networks.all(in: snapshot).map(\.details)
        return Statistics(
            today: try count(since: .day), thisWeek: try count(since: .weekOfYear),
            thisMonth: try count(since: .month), total: try doneCount(in: snapshot),
            networks: Set(networks.compactMap(\.asn)).count,
            countries: Set(networks.compactMap(\.countryCode)).filter { !$0.isEmpty }.sorted())
    }

    /// Sums the counts stored with the results.
    private func doneCount(in snapshot: Snapshot) throws -> Int {
        Int(try Self.done.rows(in: snapshot).next()?[0].int ?? 0)
    }

    private static var done: Query {
        get throws {
            try Query("SELECT SUM(counts.done) FROM ooni.results")
        }
    }
}
