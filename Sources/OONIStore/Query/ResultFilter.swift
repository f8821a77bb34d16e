public import DocumentStore
public import Foundation

extension OONIStore {
    /// A filter on results; a property that is nil does not restrict them.
    public struct ResultFilter: Hashable, Sendable {
        /// The descriptors: names of default cards, and numbers of links; nil for all, empty for
        /// none.
        public var descriptors: Set<String>?
        /// The networks; nil for all, empty for none.
        public var networks: Set<Network.ID>?
        /// Who started the results.
        public var taskOrigin: TaskOrigin?
        /// The range of starting times, excluding its end.
        public var startTime: Range<Instant>?

        /// All results.
        public static let all = ResultFilter()

        /// Creates a filter.
        public init(
            descriptors: Set<String>? = nil, networks: Set<Network.ID>? = nil,
            taskOrigin: TaskOrigin? = nil, startTime: Range<Instant>? = nil
        ) {
            self.descriptors = descriptors
            self.networks = networks
            self.taskOrigin = taskOrigin
            self.startTime = startTime
        }

        /// Whether it matches all results.
        public var isAll: Bool { self == .all }

        /// The number of conditions besides the time.
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
    /// A result with its descriptor and network, as shown in a list.
    public struct ShownResult: Hashable, Sendable, Identifiable {
        /// The result.
        public let result: TestResult
        /// The descriptor that was run.
        public let descriptor: ShownDescriptor
        /// The network; nil as long as it is unknown.
        public let network: Network?

        /// The id of the result.
        public var id: TestResult.ID { result.id }
    }
}

extension OONIStore.Results {
    /// Results with their descriptors and networks, each of which is read once.
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
    /// however long it is.
    public static func days(from first: Date, through last: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let start = OONIStore.Instant(calendar.startOfDay(for: first))
        let lastStart = calendar.startOfDay(for: Swift.max(first, last))
        let next = calendar.date(byAdding: .day, value: 1, to: lastStart) ?? lastStart
        // Calendars do not support very distant dates: the range of such a day is empty.
        return start..<Swift.max(start, OONIStore.Instant(calendar.startOfDay(for: next)))
    }

    /// The day that contains a date.
    public static func day(of date: Date, in zone: TimeZone) -> Self {
        days(from: date, through: date, in: zone)
    }

    /// The last so many days, including today.
    public static func lastDays(_ count: Int, before now: Date, in zone: TimeZone) -> Self {
        let calendar = Calendar.gregorian(in: zone)
        let first = calendar.date(byAdding: .day, value: 1 - Swift.max(count, 1), to: now) ?? now
        return days(from: first, through: now, in: zone)
    }

    /// The days since the same day of the previous month.
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
