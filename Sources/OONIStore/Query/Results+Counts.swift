public import DocumentStore
public import Foundation

extension OONIStore {
    /// What a filter finds, in numbers.
    public struct ResultTotals: Hashable, Sendable {
        /// How many results there are.
        public var results = 0
        /// In how many networks.
        public var networks = 0
        /// What was sent, in units of 1,024 bytes; to 2⁵³ exactly, and never beyond what it holds.
        public var dataUsageUpKiB: Int64 = 0
        /// What was received, in the same way.
        public var dataUsageDownKiB: Int64 = 0
    }
}

extension OONIStore.Results {
    /// What a filter finds, in numbers; no limit holds for it.
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

    /// A sum of whole numbers, which is made in floating point since it may be beyond all of them.
    private static func whole(_ sum: Double?) -> Int64 {
        let sum = sum ?? 0
        return Int64(exactly: sum) ?? (sum < 0 ? .min : .max)
    }

    /// How many results have measurements that are done and not uploaded.
    public func missingUploadCount(in snapshot: Snapshot) throws -> Int {
        try Self.count(Self.missingUpload, in: snapshot)
    }

    /// How many results have ended with a measurement, and were not looked at.
    public func notViewedCount(in snapshot: Snapshot) throws -> Int {
        try Self.count(Self.notViewed, in: snapshot)
    }

    private static func count(_ query: Query, in snapshot: Snapshot) throws -> Int {
        Int(try query.rows(in: snapshot).next()?[0].int ?? 0)
    }

    // In the words of the indexes.
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
    /// What the screen of statistics shows.
    public struct Statistics: Hashable, Sendable {
        /// Measurements that were done since midnight.
        public var today = 0
        /// Since Monday.
        public var thisWeek = 0
        /// Since the first of the month.
        public var thisMonth = 0
        /// Ever.
        public var total = 0
        /// How many autonomous systems the store has networks of; `networks.deleteUnused` removes
        /// those that no result is left of.
        public var networks = 0
        /// The countries, in two letters, sorted.
        public var countries: [String] = []
    }

    /// What the screen of statistics shows, in a time zone.
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

    /// The results have the sum in parts already.
    private func doneCount(in snapshot: Snapshot) throws -> Int {
        Int(try Self.done.rows(in: snapshot).next()?[0].int ?? 0)
    }

    private static var done: Query {
        get throws {
            try Query("SELECT SUM(counts.done) FROM ooni.results")
        }
    }
}
