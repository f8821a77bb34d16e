extension OONIStore {
    /// One run of a descriptor.
    public struct TestResult: Codable, Hashable, Sendable, Identifiable {
        /// The number of a result, unique in the store and never assigned again.
        public struct ID: NumberID {
            /// The number, 1 or more.
            public var number: Int64

            /// Creates the id with a number.
            public init(_ number: Int64) {
                self.number = number
            }
        }

        /// The number of the result.
        public internal(set) var id: ID
        /// The descriptor that was run.
        public var descriptor: DescriptorReference
        /// When it began.
        public var startTime: Instant
        /// Whether the user has viewed it.
        public internal(set) var isViewed = false
        /// Whether it has finished.
        public internal(set) var isDone = false
        /// The data sent, in KiB.
        public var dataUsageUpKiB: Int64 = 0
        /// The data received, in KiB.
        public var dataUsageDownKiB: Int64 = 0
        /// The failures at the start, one per line.
        public var failureMessage: String?
        /// The network in which it ran; nil as long as it is unknown.
        public var networkID: Network.ID?
        /// Who started it.
        public var taskOrigin = TaskOrigin.ooniRun
        /// The identifier shared by all results of one tap on "Run".
        public var runID: String?
        /// When it expires, with its measurements; nil for never.
        public internal(set) var expirationDate: Instant?
        /// The counts of its measurements; maintained by the store.
        public internal(set) var counts = Counts()

        /// Creates a started result, for example for a preview; `results.insert` creates the
        /// results of a store.
        public init(id: ID, descriptor: DescriptorReference, startTime: Instant) {
            (self.id, self.descriptor, self.startTime) = (id, descriptor, startTime)
        }
    }

    /// The reference of a result to its descriptor.
    public struct DescriptorReference: Codable, Hashable, Sendable {
        /// The name of a default card, as in `DefaultCard`; otherwise nil. The store sets it if
        /// there is a key.
        public var name: String?
        /// The descriptor and its revision; nil in old results of default cards.
        public var key: TestDescriptor.Key?

        /// Creates a reference from a name, a number and revision, or both.
        public init(name: String? = nil, key: TestDescriptor.Key? = nil) {
            self.name = name
            self.key = key
        }

        /// Creates a reference to a descriptor; for a default card it includes the name.
        public init(_ descriptor: TestDescriptor) {
            self.init(name: descriptor.defaultCard?.rawValue, key: descriptor.key)
        }

        /// A copy with the name that belongs to the key, if there is one.
        var named: Self {
            guard let key else { return self }
            return Self(name: DefaultCard(runID: key.runID)?.rawValue, key: key)
        }

        /// The key by which results are filtered: the name of the card, or the number of the link.
        public var filterKey: String? { name ?? key?.runID }
    }

    /// The number of a result's measurements by state. `ok`, `failed` and `anomalies` partition
    /// those that are done.
    public struct Counts: Codable, Hashable, Sendable {
        /// All measurements.
        public internal(set) var measurements = 0
        /// Finished measurements.
        public internal(set) var done = 0
        /// Done, and nothing was found.
        public internal(set) var ok = 0
        /// Done, but the test itself failed.
        public internal(set) var failed = 0
        /// Done, and signs of interference were found.
        public internal(set) var anomalies = 0
        /// Done, but not uploaded.
        public internal(set) var notUploaded = 0
        /// Not uploaded because the last attempt failed.
        public internal(set) var uploadFailed = 0

        /// Zero counts.
        public init() {}
    }
}

extension OONIStore.Counts {
    /// The counts of results, computed from all measurements.
    struct ByResult {
        private var counts: [OONIStore.TestResult.ID: OONIStore.Counts] = [:]

        mutating func add(_ measurement: OONIStore.Measurement) {
            counts[measurement.id.result, default: .init()].add(measurement)
        }

        /// Removes and returns the counts of a result.
        mutating func take(_ id: OONIStore.TestResult.ID) -> OONIStore.Counts {
            counts.removeValue(forKey: id) ?? .init()
        }

        /// The results whose counts were not taken.
        var left: [OONIStore.TestResult.ID] { counts.keys.sorted() }
    }

    /// Whether nothing is left to upload.
    public var isAllUploaded: Bool { notUploaded == 0 }

    /// Whether an upload has failed and has not succeeded since.
    public var hasUploadFailure: Bool { uploadFailed > 0 }

    /// Adds a measurement to the counts or, with `-1`, subtracts it.
    mutating func add(_ measurement: OONIStore.Measurement, _ count: Int = 1) {
        measurements += count
        guard measurement.isDone else { return }
        done += count
        switch measurement.outcome {
        case .failed: failed += count
        case .anomaly: anomalies += count
        case .ok, nil: ok += count
        }
        guard measurement.isMissingUpload else { return }
        notUploaded += count
        if measurement.isUploadFailed { uploadFailed += count }
    }
}
