internal import DocumentStore

extension OONIStore {
    /// Which results are asked for; what is not said is not asked for.
    public struct ResultFilter: Hashable, Sendable {
        /// Only results of these descriptors: names of default cards, and numbers of links; nil for
        /// all, empty for none.
        public var descriptors: Set<String>?
        /// Only results of these networks; nil for all, empty for none.
        public var networks: Set<Network.ID>?
        /// Only results that were begun so.
        public var taskOrigin: TaskOrigin?
        /// Only results that began in this range, without its end.
        public var startTime: Range<Instant>?

        /// All results.
        public static let all = ResultFilter()

        /// All results, or some.
        public init(
            descriptors: Set<String>? = nil, networks: Set<Network.ID>? = nil,
            taskOrigin: TaskOrigin? = nil, startTime: Range<Instant>? = nil
        ) {
            self.descriptors = descriptors
            self.networks = networks
            self.taskOrigin = taskOrigin
            self.startTime = startTime
        }

        /// Whether it leaves out nothing.
        public var isAll: Bool { self == .all }

        /// How many conditions it has besides the time.
        public var count: Int {
            (descriptors?.count ?? 0) + (networks?.count ?? 0) + (taskOrigin == nil ? 0 : 1)
        }
    }
}

extension OONIStore.ResultFilter {
    /// Conditions in SQL++ of the source `r`, each beginning with ` AND `; empty for all.
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
