public import DocumentStore
public import Foundation

extension OONIStore {
    /// A filter on results; a property that is nil does not restrict them.
    ///
    /// A result matches if it fulfils all conditions. The filtered properties are part of the index
    /// by time, so that a filtered list reads only the documents that it shows.
    ///
    /// ```swift
    /// let filter = OONIStore.ResultFilter(
    ///     descriptors: ["websites", "10004"], taskOrigin: .ooniRun,
    ///     startTime: .lastDays(7, before: Date(), in: .current))
    /// let totals = try probe.read { try probe.results.totals(filter, in: $0) }
    /// ```
    ///
    /// The same filter applies to ``Results/page(_:after:limit:in:)``, ``Results/totals(_:in:)``,
    /// ``Results/ids(_:in:)``, ``Results/markAllAsViewed(_:in:)`` and `results.delete`.
    public struct ResultFilter: Hashable, Sendable {
        /// The descriptors: names of default cards, and numbers of links; nil for all, empty for
        /// none.
        ///
        /// ``TestDescriptor/filterKey`` is the one of a descriptor.
        public var descriptors: Set<String>?
        /// The networks; nil for all, empty for none. Results without a network match only nil.
        public var networks: Set<Network.ID>?
        /// Who started the results; nil for both the user and the app.
        public var taskOrigin: TaskOrigin?
        /// The range of starting times, excluding its end; nil for all. Ranges of whole days are
        /// `Range.day(of:in:)` and others.
        public var startTime: Range<Instant>?

        /// All results.
        public static let all = ResultFilter()

        /// Creates a filter; nil does not restrict.
        ///
        /// - Parameters:
        ///   - descriptors: names of default cards, and numbers of links.
        ///   - networks: the networks.
        ///   - taskOrigin: who started the results.
        ///   - startTime: the range of starting times, excluding its end.
        public init(
            descriptors: Set<String>? = nil, networks: Set<Network.ID>? = nil,
            taskOrigin: TaskOrigin? = nil, startTime: Range<Instant>? = nil
        ) {
            self.descriptors = descriptors
            self.networks = networks
            self.taskOrigin = taskOrigin
            self.startTime = startTime
        }

        /// Whether it matches all results, because no property restricts them.
        public var isAll: Bool { self == .all }

        /// The number of conditions besides the time, for example for the badge of a filter button:
        /// each descriptor, each network, and the origin count as one.
        public var count: Int {
            (descriptors?.count ?? 0) + (networks?.count ?? 0) + (taskOrigin == nil ? 0 : 1)
        }
    }
}

extension OONIStore.ResultFilter {
    /// The filter as SQL++ conditions on the source `r`, each beginning with ` AND `; empty for
    /// all.
    func conditions(_ parameters: inout QueryParameters) throws -> String {
        var text = ""
        if let descriptors {
            text +=
                " AND (r.descriptor.name IN $descriptors OR r.descriptor.key.runID IN $descriptors)"
            parameters["descriptors"] = try QueryValue(encoding: descriptors.sorted())
        }
        if let networks {
            text += " AND r.networkID IN $networks"
            parameters["networks"] = try QueryValue(encoding: networks.sorted())
        }
        if let taskOrigin {
            text += " AND r.taskOrigin = $origin"
            parameters["origin"] = .string(taskOrigin.rawValue)
        }
        if let startTime {
            text += " AND r.startTime >= $start AND r.startTime < $end"
            parameters["start"] = .integer(startTime.lowerBound.milliseconds)
            parameters["end"] = .integer(startTime.upperBound.milliseconds)
        }
        return text
    }
}

extension OONIStore {
    /// A result with its descriptor and network, as shown in a list: see ``Results/shown(_:in:)``.
    public struct ShownResult: Hashable, Sendable, Identifiable {
        /// The result.
        public let result: TestResult
        /// The descriptor that was run, or a placeholder.
        public let descriptor: ShownDescriptor
        /// The network; nil as long as it is unknown, and if it no longer exists.
        public let network: Network?

        /// The ID of the result.
        public var id: TestResult.ID { result.id }
    }
}

extension OONIStore.Results {
    /// Results with their descriptors and networks, each of which is read once.
    ///
    /// ```swift
    /// let shown = try probe.read { snapshot in
    ///     try probe.results.shown(probe.results.page(in: snapshot).results, in: snapshot)
    /// }
    /// let countries = Set(shown.compactMap(\.network?.details.countryCode))
    /// ```
    ///
    /// - Parameters:
    ///   - results: the results, usually of the same snapshot.
    ///   - snapshot: the snapshot in which descriptors and networks are read.
    /// - Returns: the results in the same order.
    /// - Throws: a `StoreError`, or a `DecodingError` for a descriptor or network that cannot be
    ///   read.
    public func shown(
        _ results: some Sequence<OONIStore.TestResult>, in snapshot: Snapshot
    ) throws -> [OONIStore.ShownResult] {
        var descriptors: [OONIStore.DescriptorReference: OONIStore.ShownDescriptor] = [:]
        var networks: [OONIStore.Network.ID: OONIStore.Network?] = [:]
        return try results.map { result in
            let descriptor =
                try descriptors[result.descriptor]
                ?? OONIStore.Descriptors(store: store).descriptor(of: result, in: snapshot)
            descriptors[result.descriptor] = descriptor
            guard let id = result.networkID else {
                return .init(result: result, descriptor: descriptor, network: nil)
            }
            let network = try networks[id] ?? store.networks.get(id.key, in: snapshot)
            networks[id] = .some(network)
            return .init(result: result, descriptor: descriptor, network: network)
        }
    }
}

extension Range<OONIStore.Instant> {
    /// From the start of one day to the end of another, in a time zone.
    ///
    /// The end is the first instant after the last day, so that the whole last day is included,
    /// however long it is: with daylight saving time, days have 23 to 25 hours.
    ///
    /// ```swift
    /// let first = Date(timeIntervalSince1970: 1_790_000_000)
    /// var filter = OONIStore.ResultFilter.all
    /// filter.startTime = .days(from: first, through: Date(), in: .current)
    /// ```
    ///
    /// - Parameters:
    ///   - first: a date of the first day.
    ///   - last: a date of the last day; an earlier one counts as the first.
    ///   - zone: the time zone of the days, usually `.current`.
    /// - Returns: the range, which is empty for dates that calendars do not support.
    public static func days(from first: Date, through last: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let start = OONIStore.Instant(calendar.startOfDay(for: first))
        let lastStart = calendar.startOfDay(for: Swift.max(first, last))
        let next = calendar.date(byAdding: .day, value: 1, to: lastStart) ?? lastStart
        // Calendars do not support very distant dates: the range of such a day is empty.
        return start..<Swift.max(start, OONIStore.Instant(calendar.startOfDay(for: next)))
    }

    /// The day that contains a date, in a time zone.
    ///
    /// - Parameters:
    ///   - date: a date of the day.
    ///   - zone: the time zone of the day.
    /// - Returns: the range from its start to the start of the next day.
    public static func day(of date: Date, in zone: TimeZone) -> Self {
        days(from: date, through: date, in: zone)
    }

    /// The last so many days, including today.
    ///
    /// - Parameters:
    ///   - count: the number of days; 1 or less is today.
    ///   - now: the current date.
    ///   - zone: the time zone of the days.
    /// - Returns: the range, which ends at the end of today.
    public static func lastDays(_ count: Int, before now: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let first = calendar.date(byAdding: .day, value: 1 - Swift.max(count, 1), to: now) ?? now
        return days(from: first, through: now, in: zone)
    }

    /// The days since the same day of the previous month, including today.
    ///
    /// - Parameters:
    ///   - now: the current date.
    ///   - zone: the time zone of the days.
    /// - Returns: the range, which ends at the end of today. On a day that the previous month does
    ///   not have, it begins with the last one of that month.
    public static func lastMonth(before now: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let first = calendar.date(byAdding: .month, value: -1, to: now) ?? now
        return days(from: first, through: now, in: zone)
    }
}

extension Calendar {
    /// The calendar in which weeks begin on Monday.
    static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = zone
        return calendar
    }
}
