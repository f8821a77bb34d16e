extension OONIStore {
    /// One run of a descriptor.
    public struct TestResult: Codable, Hashable, Sendable, Identifiable {
        /// The number of a result, which no other one has or will have.
        public struct ID: NumberID {
            /// The number, 1 or more.
            public var number: Int64

            /// The id of a number.
            public init(_ number: Int64) {
                self.number = number
            }
        }

        /// Its number.
        public internal(set) var id: ID
        /// What was run.
        public var descriptor: DescriptorReference
        /// When it began.
        public var startTime: Instant
        /// Whether it was looked at.
        public internal(set) var isViewed = false
        /// Whether it has ended.
        public internal(set) var isDone = false
        /// What was sent, in units of 1,024 bytes.
        public var dataUsageUpKiB: Int64 = 0
        /// What was received, in units of 1,024 bytes.
        public var dataUsageDownKiB: Int64 = 0
        /// What failed at the start, a line each.
        public var failureMessage: String?
        /// The network that it ran in; nil as long as that is not known.
        public var networkID: Network.ID?
        /// Who began it.
        public var taskOrigin = TaskOrigin.ooniRun
        /// What all results of one tap on "Run" have in common.
        public var runID: String?
        /// When it goes by itself, with its measurements; nil for never.
        public internal(set) var expirationDate: Instant?
        /// How its measurements are; kept by the store.
        public internal(set) var counts = Counts()

        /// A result that has begun, as a preview shows it; `results.insert` makes those of a store.
        public init(id: ID, descriptor: DescriptorReference, startTime: Instant) {
            (self.id, self.descriptor, self.startTime) = (id, descriptor, startTime)
        }
    }

    /// What a result says of its descriptor.
    public struct DescriptorReference: Codable, Hashable, Sendable {
        /// The name of a default card, as `DefaultCard` has them; else nil. Beside a key the store
        /// sets it.
        public var name: String?
        /// The descriptor and its revision; nil in old results of default cards.
        public var key: TestDescriptor.Key?

        /// A descriptor by its name, its number and revision, or both.
        public init(name: String? = nil, key: TestDescriptor.Key? = nil) {
            self.name = name
            self.key = key
        }

        /// The descriptor that is run; a default card is also known by its name.
        public init(_ descriptor: TestDescriptor) {
            self.init(name: descriptor.defaultCard?.rawValue, key: descriptor.key)
        }

        /// The same with the name that belongs to the key, where there is one.
        var named: Self {
            guard let key else { return self }
            return Self(name: DefaultCard(runID: key.runID)?.rawValue, key: key)
        }

        /// What results are filtered by: the name of the card, or the number of the link.
        public var filterKey: String? { name ?? key?.runID }
    }

    /// How many measurements a result has of each kind. `ok`, `failed` and `anomalies` are those
    /// that are done, each counted once.
    public struct Counts: Codable, Hashable, Sendable {
        /// All.
        public internal(set) var measurements = 0
        /// Those that have ended.
        public internal(set) var done = 0
        /// Done, and nothing found.
        public internal(set) var ok = 0
        /// Done, but the test itself failed.
        public internal(set) var failed = 0
        /// Done, and signs of interference found.
        public internal(set) var anomalies = 0
        /// Done, but not uploaded.
        public internal(set) var notUploaded = 0
        /// Not uploaded, since the last attempt failed.
        public internal(set) var uploadFailed = 0

        /// None.
        public init() {}
    }
}

extension OONIStore.Counts {
    /// The counts of results, made of all measurements.
    struct ByResult {
        private var counts: [OONIStore.TestResult.ID: OONIStore.Counts] = [:]

        mutating func add(_ measurement: OONIStore.Measurement) {
            counts[measurement.id.result, default: .init()].add(measurement)
        }

        /// The counts of a result, which is not left then.
        mutating func take(_ id: OONIStore.TestResult.ID) -> OONIStore.Counts {
            counts.removeValue(forKey: id) ?? .init()
        }

        /// The results whose counts were not taken.
        var left: [OONIStore.TestResult.ID] { counts.keys.sorted() }
    }

    /// Whether nothing is left to upload.
    public var isAllUploaded: Bool { notUploaded == 0 }

    /// Whether an upload has failed that was not made up for.
    public var hasUploadFailure: Bool { uploadFailed > 0 }

    /// Counts a measurement, or with `-1` counts it no more.
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
