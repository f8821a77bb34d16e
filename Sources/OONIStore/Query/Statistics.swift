public import DocumentStore
public import Foundation

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
